package dev.edgehill;

import static dev.edgehill.Asking.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import dev.edgehill.v1.Competition;
import dev.edgehill.v1.CompetitionEvent;
import dev.edgehill.v1.CompetitionExport;
import dev.edgehill.v1.CompetitionPhase;
import dev.edgehill.v1.CompetitionSettings;
import dev.edgehill.v1.MatchConfig;
import dev.edgehill.v1.StandingRow;
import dev.edgehill.v1.VerdictKind;
import dev.edgehill.v1.WatchAccountResponse;
import dev.edgehill.v1.WatchCompetitionResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Competitions on a server with accounts: from their making to their export, and through a connection that is cut. */
class CompetitionsTest {
    @TempDir
    Path folder;

    /** Returns a round robin of the specimen. */
    private static CompetitionSettings settings() {
        CompetitionSettings.Builder settings =
                CompetitionSettings.newBuilder().setName("Spring cup").setGame("skirmish");
        settings.getFormatBuilder().getRoundRobinBuilder().setCycles(1);
        settings.getPolicyBuilder().setHouseBots(true);
        return settings.build();
    }

    @Test
    void entrantFindsItsMatchPlaysItAndStandsInTheStandings() {
        Accounts accounts = new Accounts(folder).with("umpire", "referee").with("ada", "player");
        try (TestServer server = accounts.serve();
                Relay relay = new Relay(server.address());
                Client umpire = Client.builder(server.address())
                        .key(accounts.key("umpire"))
                        .build();
                Client ada =
                        Client.builder(relay.address()).key(accounts.key("ada")).build()) {
            Competitions organised = umpire.competitions();
            Competition made = organised.create(settings());
            assertTrue(made.getIsMine());
            assertEquals(List.of(made), organised.list());
            assertEquals(List.of(), organised.list(CompetitionPhase.COMPETITION_PHASE_FINISHED));
            CompetitionWatch watch = ada.competitions().watch(made.getId());
            List<CompetitionEvent> events = new ArrayList<>(watch.next().getEventsList());
            var countess = ada.competitions().enrolEntrant(made.getId(), request -> request.setName("Countess"));
            assertEquals(1, countess.getNumber());
            var bot = organised.enrolEntrant(
                    made.getId(), request -> request.setHouseBot("random").setRating(1500));
            assertEquals("random", bot.getHouseBot());
            refused("NOT_ALLOWED", () -> ada.competitions().start(made.getId()));
            relay.cut();
            organised.start(made.getId());
            MatchConfig match = matchOf(ada);
            assertEquals(made.getId(), match.getCompetition().getCompetitionId());
            assertEquals("1.1.1", match.getCompetition().getSlot());
            ada.join(match.getMatchId()).resign();

            // The events come without a gap, over the connections that it takes, and end with the competition.
            for (WatchCompetitionResponse response : watch) {
                events.addAll(response.getEventsList());
            }
            var ended = organised.get(made.getId());
            assertEquals(
                    CompetitionPhase.COMPETITION_PHASE_FINISHED,
                    ended.getCompetition().getPhase());
            assertEquals(ended.getCompetition().getLastEvent(), watch.lastEvent());
            assertEquals(
                    LongStream.rangeClosed(1, watch.lastEvent()).boxed().toList(),
                    events.stream().map(CompetitionEvent::getNumber).toList());

            var standings = organised.standings(made.getId(), request -> request.setCrossTableOf(1));
            assertEquals(
                    List.of("random", "Countess"),
                    standings.getRowsList().stream().map(StandingRow::getName).toList());
            assertEquals(2, standings.getCrossTable(0).getEntrant());
            assertEquals(2, organised.standings(made.getId()).getRowsCount());
            var encounters = organised.encounters(made.getId());
            assertEquals(
                    VerdictKind.VERDICT_KIND_LOSS,
                    encounters.get(0).getMatches(0).getVerdict().getKind());
            assertEquals(encounters, organised.encounters(made.getId(), 1));
            String json = organised.export(made.getId(), CompetitionExport.COMPETITION_EXPORT_JSON);
            var first = JsonParser.parseString(json)
                    .getAsJsonObject()
                    .getAsJsonArray("standings")
                    .get(0);
            assertEquals("random", first.getAsJsonObject().get("name").getAsString());
        }
    }

    @Test
    void competitionIsCalledOffAndEntrantsLeave() {
        Accounts accounts = new Accounts(folder).with("umpire", "referee").with("ada", "player");
        try (TestServer server = accounts.serve();
                Client umpire = Client.builder(server.address())
                        .key(accounts.key("umpire"))
                        .build();
                Client ada = Client.builder(server.address())
                        .key(accounts.key("ada"))
                        .build()) {
            Competitions organised = umpire.competitions();
            String id = organised
                    .create(settings(), request -> request.setRequestId("cup"))
                    .getId();
            assertEquals(
                    id,
                    organised
                            .create(settings(), request -> request.setRequestId("cup"))
                            .getId());
            int number = ada.competitions().enrolEntrant(id).getNumber();
            ada.competitions().withdrawEntrant(id, number);
            refused("ENTRANT_LEFT", () -> ada.competitions().withdrawEntrant(id, number));
            assertEquals("gone", organised.disqualifyEntrant(id, number, "gone").getEvidence());
            refused("TOO_FEW_ENTRANTS", () -> organised.start(id));
            refused("NOT_VOIDABLE", () -> organised.voidMatch(id, "1.1.1", "rain"));
            Competition cancelled = organised.cancel(id, request -> request.setReason("rain"));
            assertEquals("rain", cancelled.getCancelReason());
            refused("UNKNOWN_COMPETITION", () -> organised.get(UUID.randomUUID().toString()));
        }
    }

    /** Returns the match that an entrant's account is told of. */
    private static MatchConfig matchOf(Client entrant) {
        try (AccountWatch watch = entrant.watchAccount()) {
            WatchAccountResponse told = watch.next();
            while (!told.hasMatch()) {
                told = watch.next();
            }
            return told.getMatch().getMatch().getConfig();
        }
    }
}
