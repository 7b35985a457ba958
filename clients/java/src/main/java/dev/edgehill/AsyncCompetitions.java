package dev.edgehill;

import dev.edgehill.v1.CancelCompetitionRequest;
import dev.edgehill.v1.CancelCompetitionResponse;
import dev.edgehill.v1.Competition;
import dev.edgehill.v1.CompetitionExport;
import dev.edgehill.v1.CompetitionPhase;
import dev.edgehill.v1.CompetitionServiceGrpc;
import dev.edgehill.v1.CompetitionSettings;
import dev.edgehill.v1.CreateCompetitionRequest;
import dev.edgehill.v1.CreateCompetitionResponse;
import dev.edgehill.v1.DisqualifyEntrantRequest;
import dev.edgehill.v1.DisqualifyEntrantResponse;
import dev.edgehill.v1.Encounter;
import dev.edgehill.v1.EnrolEntrantRequest;
import dev.edgehill.v1.EnrolEntrantResponse;
import dev.edgehill.v1.Entrant;
import dev.edgehill.v1.ExportCompetitionRequest;
import dev.edgehill.v1.ExportCompetitionResponse;
import dev.edgehill.v1.GetCompetitionRequest;
import dev.edgehill.v1.GetCompetitionResponse;
import dev.edgehill.v1.GetStandingsRequest;
import dev.edgehill.v1.GetStandingsResponse;
import dev.edgehill.v1.ListCompetitionsRequest;
import dev.edgehill.v1.ListEncountersRequest;
import dev.edgehill.v1.StartCompetitionRequest;
import dev.edgehill.v1.StartCompetitionResponse;
import dev.edgehill.v1.VoidCompetitionMatchRequest;
import dev.edgehill.v1.VoidCompetitionMatchResponse;
import dev.edgehill.v1.WithdrawEntrantRequest;
import dev.edgehill.v1.WithdrawEntrantResponse;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The calls of those who organise competitions, take part in them, or follow them: those of {@link Competitions}, each of
 * which returns at once, as those of {@link AsyncClient} do.
 *
 * <p>Entrants find their matches with {@link AsyncClient#watchAccount()}, as seats that are kept for them.
 */
public final class AsyncCompetitions {
    private final Connection connection;
    private final Optional<String> key;
    private final RequestIds ids;

    AsyncCompetitions(Connection connection, Optional<String> key, RequestIds ids) {
        this.connection = connection;
        this.key = key;
        this.ids = ids;
    }

    /** Makes a competition, in which entrants may enrol. For referees. */
    public CompletableFuture<Competition> create(CompetitionSettings settings) {
        return create(settings, request -> {});
    }

    /** Makes a competition, with a request id of the caller's own. */
    public CompletableFuture<Competition> create(
            CompetitionSettings settings, Consumer<CreateCompetitionRequest.Builder> options) {
        CreateCompetitionRequest.Builder request =
                CreateCompetitionRequest.newBuilder().setSettings(settings);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(CompetitionServiceGrpc.getCreateCompetitionMethod(), request.build()),
                CreateCompetitionResponse::getCompetition);
    }

    /** Gets a competition with its entrants. */
    public CompletableFuture<GetCompetitionResponse> get(String competitionId) {
        GetCompetitionRequest request = GetCompetitionRequest.newBuilder()
                .setCompetitionId(competitionId)
                .build();
        return call(CompetitionServiceGrpc.getGetCompetitionMethod(), request);
    }

    /** Lists the competitions of the server, last made first. */
    public CompletableFuture<List<Competition>> list() {
        return list(CompetitionPhase.COMPETITION_PHASE_UNSPECIFIED);
    }

    /** Lists the competitions of the server in a phase, last made first. */
    public CompletableFuture<List<Competition>> list(CompetitionPhase phase) {
        return list(ListCompetitionsRequest.newBuilder().setPhase(phase).build(), List.of());
    }

    /** Enrols the client's own account. */
    public CompletableFuture<Entrant> enrolEntrant(String competitionId) {
        return enrolEntrant(competitionId, request -> {});
    }

    /** Enrols an entrant, as the request says; an organizer enrols other accounts and house bots, and gives ratings. */
    public CompletableFuture<Entrant> enrolEntrant(
            String competitionId, Consumer<EnrolEntrantRequest.Builder> options) {
        EnrolEntrantRequest.Builder request = EnrolEntrantRequest.newBuilder().setCompetitionId(competitionId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(CompetitionServiceGrpc.getEnrolEntrantMethod(), request.build()),
                EnrolEntrantResponse::getEntrant);
    }

    /** Lets an entrant leave, by its number. */
    public CompletableFuture<Entrant> withdrawEntrant(String competitionId, int entrant) {
        return withdrawEntrant(competitionId, entrant, request -> {});
    }

    /** Lets an entrant leave, with a request id of the caller's own. */
    public CompletableFuture<Entrant> withdrawEntrant(
            String competitionId, int entrant, Consumer<WithdrawEntrantRequest.Builder> options) {
        WithdrawEntrantRequest.Builder request = WithdrawEntrantRequest.newBuilder()
                .setCompetitionId(competitionId)
                .setEntrant(entrant);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(CompetitionServiceGrpc.getWithdrawEntrantMethod(), request.build()),
                WithdrawEntrantResponse::getEntrant);
    }

    /** Sends an entrant away, by its number; the evidence is for everybody to see. */
    public CompletableFuture<Entrant> disqualifyEntrant(String competitionId, int entrant, String evidence) {
        return disqualifyEntrant(competitionId, entrant, evidence, request -> {});
    }

    /** Sends an entrant away, with a request id of the caller's own. */
    public CompletableFuture<Entrant> disqualifyEntrant(
            String competitionId, int entrant, String evidence, Consumer<DisqualifyEntrantRequest.Builder> options) {
        DisqualifyEntrantRequest.Builder request = DisqualifyEntrantRequest.newBuilder()
                .setCompetitionId(competitionId)
                .setEntrant(entrant)
                .setEvidence(evidence);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(CompetitionServiceGrpc.getDisqualifyEntrantMethod(), request.build()),
                DisqualifyEntrantResponse::getEntrant);
    }

    /** Ends enrolment, and begins to play. */
    public CompletableFuture<Competition> start(String competitionId) {
        return start(competitionId, request -> {});
    }

    /** Begins to play, with a request id of the caller's own. */
    public CompletableFuture<Competition> start(
            String competitionId, Consumer<StartCompetitionRequest.Builder> options) {
        StartCompetitionRequest.Builder request =
                StartCompetitionRequest.newBuilder().setCompetitionId(competitionId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(CompetitionServiceGrpc.getStartCompetitionMethod(), request.build()),
                StartCompetitionResponse::getCompetition);
    }

    /** Calls a competition off. */
    public CompletableFuture<Competition> cancel(String competitionId) {
        return cancel(competitionId, request -> {});
    }

    /** Calls a competition off, as the request says; the reason is for everybody to see. */
    public CompletableFuture<Competition> cancel(
            String competitionId, Consumer<CancelCompetitionRequest.Builder> options) {
        CancelCompetitionRequest.Builder request =
                CancelCompetitionRequest.newBuilder().setCompetitionId(competitionId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(CompetitionServiceGrpc.getCancelCompetitionMethod(), request.build()),
                CancelCompetitionResponse::getCompetition);
    }

    /** Takes a match back by its place, such as {@code 2.5.1}; the evidence is for everybody to see. */
    public CompletableFuture<Competition> voidMatch(String competitionId, String slot, String evidence) {
        return voidMatch(competitionId, slot, evidence, request -> {});
    }

    /** Takes a match back, as the request says: to be played again, or not. */
    public CompletableFuture<Competition> voidMatch(
            String competitionId, String slot, String evidence, Consumer<VoidCompetitionMatchRequest.Builder> options) {
        VoidCompetitionMatchRequest.Builder request = VoidCompetitionMatchRequest.newBuilder()
                .setCompetitionId(competitionId)
                .setSlot(slot)
                .setEvidence(evidence);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(CompetitionServiceGrpc.getVoidCompetitionMatchMethod(), request.build()),
                VoidCompetitionMatchResponse::getCompetition);
    }

    /** Gets the standings as they are now. */
    public CompletableFuture<GetStandingsResponse> standings(String competitionId) {
        return standings(competitionId, request -> {});
    }

    /** Gets the standings, as the request says: with the matches of one entrant against each other. */
    public CompletableFuture<GetStandingsResponse> standings(
            String competitionId, Consumer<GetStandingsRequest.Builder> options) {
        GetStandingsRequest.Builder request = GetStandingsRequest.newBuilder().setCompetitionId(competitionId);
        options.accept(request);
        return call(CompetitionServiceGrpc.getGetStandingsMethod(), request.build());
    }

    /** Lists the encounters of all rounds. */
    public CompletableFuture<List<Encounter>> encounters(String competitionId) {
        return encounters(competitionId, 0);
    }

    /** Lists the encounters of a round, from 1. */
    public CompletableFuture<List<Encounter>> encounters(String competitionId, int round) {
        ListEncountersRequest.Builder request = ListEncountersRequest.newBuilder()
                .setCompetitionId(competitionId)
                .setRound(round);
        return encounters(request.build(), List.of());
    }

    /** Exports a competition as a text: a page, a table or a document. */
    public CompletableFuture<String> export(String competitionId, CompetitionExport form) {
        ExportCompetitionRequest request = ExportCompetitionRequest.newBuilder()
                .setCompetitionId(competitionId)
                .setForm(form)
                .build();
        var parts = connection.collect(CompetitionServiceGrpc.getExportCompetitionMethod(), request, key);
        return Futures.map(
                parts,
                all -> all.stream().map(ExportCompetitionResponse::getChunk).collect(Collectors.joining()));
    }

    /** Streams the events of a competition from the first one on, until it ends. */
    public CompetitionWatch watch(String competitionId) {
        return watch(competitionId, 0);
    }

    /** Streams the events of a competition behind the one of this number, until it ends. */
    public CompetitionWatch watch(String competitionId, long afterEvent) {
        return new CompetitionWatch(connection, key, competitionId, afterEvent);
    }

    private <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request) {
        return connection.call(method, request, key);
    }

    private CompletableFuture<List<Competition>> list(ListCompetitionsRequest request, List<Competition> before) {
        return Futures.then(call(CompetitionServiceGrpc.getListCompetitionsMethod(), request), page -> {
            List<Competition> listed = joined(before, page.getCompetitionsList());
            String next = page.getNextPageToken();
            return next.isEmpty()
                    ? CompletableFuture.completedFuture(listed)
                    : list(request.toBuilder().setPageToken(next).build(), listed);
        });
    }

    private CompletableFuture<List<Encounter>> encounters(ListEncountersRequest request, List<Encounter> before) {
        return Futures.then(call(CompetitionServiceGrpc.getListEncountersMethod(), request), page -> {
            List<Encounter> listed = joined(before, page.getEncountersList());
            String next = page.getNextPageToken();
            return next.isEmpty()
                    ? CompletableFuture.completedFuture(listed)
                    : encounters(request.toBuilder().setPageToken(next).build(), listed);
        });
    }

    private static <T> List<T> joined(List<T> before, List<T> more) {
        return Stream.concat(before.stream(), more.stream()).toList();
    }
}
