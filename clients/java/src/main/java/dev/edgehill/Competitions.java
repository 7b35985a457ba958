package dev.edgehill;

import dev.edgehill.v1.CancelCompetitionRequest;
import dev.edgehill.v1.Competition;
import dev.edgehill.v1.CompetitionExport;
import dev.edgehill.v1.CompetitionPhase;
import dev.edgehill.v1.CompetitionSettings;
import dev.edgehill.v1.CreateCompetitionRequest;
import dev.edgehill.v1.DisqualifyEntrantRequest;
import dev.edgehill.v1.Encounter;
import dev.edgehill.v1.EnrolEntrantRequest;
import dev.edgehill.v1.Entrant;
import dev.edgehill.v1.GetCompetitionResponse;
import dev.edgehill.v1.GetStandingsRequest;
import dev.edgehill.v1.GetStandingsResponse;
import dev.edgehill.v1.StartCompetitionRequest;
import dev.edgehill.v1.VoidCompetitionMatchRequest;
import dev.edgehill.v1.WithdrawEntrantRequest;
import java.util.List;
import java.util.function.Consumer;

/**
 * The calls of those who organise competitions, take part in them, or follow them (docs/competitions.md). They need an
 * account's key, and wait for their answers as those of {@link Client} do.
 *
 * <p>Entrants find their matches with {@link Client#watchAccount()}, as seats that are kept for them.
 */
public final class Competitions {
    private final AsyncCompetitions async;

    Competitions(AsyncCompetitions async) {
        this.async = async;
    }

    /** Makes a competition, in which entrants may enrol. For referees. */
    public Competition create(CompetitionSettings settings) {
        return Futures.await(async.create(settings));
    }

    /** Makes a competition, with a request id of the caller's own. */
    public Competition create(CompetitionSettings settings, Consumer<CreateCompetitionRequest.Builder> options) {
        return Futures.await(async.create(settings, options));
    }

    /** Gets a competition with its entrants. */
    public GetCompetitionResponse get(String competitionId) {
        return Futures.await(async.get(competitionId));
    }

    /** Lists the competitions of the server, last made first. */
    public List<Competition> list() {
        return Futures.await(async.list());
    }

    /** Lists the competitions of the server in a phase, last made first. */
    public List<Competition> list(CompetitionPhase phase) {
        return Futures.await(async.list(phase));
    }

    /** Enrols the client's own account. */
    public Entrant enrolEntrant(String competitionId) {
        return Futures.await(async.enrolEntrant(competitionId));
    }

    /** Enrols an entrant, as the request says; an organizer enrols other accounts and house bots, and gives ratings. */
    public Entrant enrolEntrant(String competitionId, Consumer<EnrolEntrantRequest.Builder> options) {
        return Futures.await(async.enrolEntrant(competitionId, options));
    }

    /** Lets an entrant leave, by its number. */
    public Entrant withdrawEntrant(String competitionId, int entrant) {
        return Futures.await(async.withdrawEntrant(competitionId, entrant));
    }

    /** Lets an entrant leave, with a request id of the caller's own. */
    public Entrant withdrawEntrant(
            String competitionId, int entrant, Consumer<WithdrawEntrantRequest.Builder> options) {
        return Futures.await(async.withdrawEntrant(competitionId, entrant, options));
    }

    /** Sends an entrant away, by its number; the evidence is for everybody to see. */
    public Entrant disqualifyEntrant(String competitionId, int entrant, String evidence) {
        return Futures.await(async.disqualifyEntrant(competitionId, entrant, evidence));
    }

    /** Sends an entrant away, with a request id of the caller's own. */
    public Entrant disqualifyEntrant(
            String competitionId, int entrant, String evidence, Consumer<DisqualifyEntrantRequest.Builder> options) {
        return Futures.await(async.disqualifyEntrant(competitionId, entrant, evidence, options));
    }

    /** Ends enrolment, and begins to play. */
    public Competition start(String competitionId) {
        return Futures.await(async.start(competitionId));
    }

    /** Begins to play, with a request id of the caller's own. */
    public Competition start(String competitionId, Consumer<StartCompetitionRequest.Builder> options) {
        return Futures.await(async.start(competitionId, options));
    }

    /** Calls a competition off. */
    public Competition cancel(String competitionId) {
        return Futures.await(async.cancel(competitionId));
    }

    /** Calls a competition off, as the request says; the reason is for everybody to see. */
    public Competition cancel(String competitionId, Consumer<CancelCompetitionRequest.Builder> options) {
        return Futures.await(async.cancel(competitionId, options));
    }

    /** Takes a match back by its place, such as {@code 2.5.1}; the evidence is for everybody to see. */
    public Competition voidMatch(String competitionId, String slot, String evidence) {
        return Futures.await(async.voidMatch(competitionId, slot, evidence));
    }

    /** Takes a match back, as the request says: to be played again, or not. */
    public Competition voidMatch(
            String competitionId, String slot, String evidence, Consumer<VoidCompetitionMatchRequest.Builder> options) {
        return Futures.await(async.voidMatch(competitionId, slot, evidence, options));
    }

    /** Gets the standings as they are now. */
    public GetStandingsResponse standings(String competitionId) {
        return Futures.await(async.standings(competitionId));
    }

    /** Gets the standings, as the request says: with the matches of one entrant against each other. */
    public GetStandingsResponse standings(String competitionId, Consumer<GetStandingsRequest.Builder> options) {
        return Futures.await(async.standings(competitionId, options));
    }

    /** Lists the encounters of all rounds. */
    public List<Encounter> encounters(String competitionId) {
        return Futures.await(async.encounters(competitionId));
    }

    /** Lists the encounters of a round, from 1. */
    public List<Encounter> encounters(String competitionId, int round) {
        return Futures.await(async.encounters(competitionId, round));
    }

    /** Exports a competition as a text: a page, a table or a document. */
    public String export(String competitionId, CompetitionExport form) {
        return Futures.await(async.export(competitionId, form));
    }

    /** Streams the events of a competition from the first one on, until it ends. */
    public CompetitionWatch watch(String competitionId) {
        return async.watch(competitionId);
    }

    /** Streams the events of a competition behind the one of this number, until it ends. */
    public CompetitionWatch watch(String competitionId, long afterEvent) {
        return async.watch(competitionId, afterEvent);
    }
}
