package dev.edgehill;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.DiceReveal;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.MatchConfig;
import dev.edgehill.v1.MatchResult;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.RefereeActKind;
import dev.edgehill.v1.SeatState;
import dev.edgehill.v1.SeedOrigin;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The check that the dice of a finished match were those that its host was bound to before anyone sat down.
 *
 * <p>The procedure is that of docs/dice.md, "Checking a match"; that each die was due is for a replay by the rules to say
 * ({@code edgehill verify}).
 */
public final class DiceVerifier {
    private DiceVerifier() {}

    /** Checks the dice of a finished match without anything else that was written down while it ran. */
    public static DiceCheck verifyDice(MatchConfig published, MatchState state, String text) {
        return verifyDice(published, state, text, DiceOptions.NONE);
    }

    /**
     * Checks the dice of a finished match against the things that were written down while it ran.
     *
     * @param published the config as it was shown when the match was made
     * @param state the state as the server has it now, from {@link Client#get}
     * @param text the record as the server has it now, from {@link Client#record}
     * @throws Unverified for the first thing that does not check
     */
    public static DiceCheck verifyDice(MatchConfig published, MatchState state, String text, DiceOptions options) {
        RecordCheck checked = RecordVerifier.verify(text, options.signingKeys());
        MatchRecord record = checked.record();
        if (!state.hasReveal()) {
            throw new Unverified("the seed is not revealed: the match, or its seed group, is not finished");
        }
        DiceReveal reveal = state.getReveal();
        checkMatch(published, reveal, record);
        ByteString seed = boundSeed(published, state, reveal, record);
        options.entropies().forEach((seat, given) -> {
            ByteString shown = entropyOf(reveal, placeOf(published, seat));
            Expected.same("the entropy of seat " + seat, given, shown);
        });
        checkEnd(state, record);
        DrawnAgain drawn = new DrawnAgain(seed, options.sides(), options.bags());
        record.drawn().forEach(drawn::draw);
        Map<RecordPart, String> parts = new EnumMap<>(checked.unchecked());
        if (drawn.unchecked().isEmpty()) {
            parts.remove(RecordPart.SEED);
        } else {
            String open = "the options of " + drawn.unchecked().size() + " draws are for the rules to say";
            parts.put(RecordPart.SEED, open);
        }
        checkSeen(options.events(), record);
        return new DiceCheck(seed, drawn.rolls(), drawn.draws(), drawn.unchecked(), Collections.unmodifiableMap(parts));
    }

    /** Checks that the record is of the match that was published. */
    private static void checkMatch(MatchConfig published, DiceReveal reveal, MatchRecord record) {
        Expected.same("the match of the record", published.getMatchId(), record.match());
        Expected.same("the game of the record", published.getGame(), record.game());
        Expected.same("the rules of the record", rulesOf(published), record.rules());
        Expected.same("the content of the record", published.getRules().getContentHash(), record.content());
        Expected.same("the group of the record", reveal.getGroupId(), record.group());
        Expected.same("the commitment of the record", published.getDice().getCommitment(), record.commitment());
        ByteString serverSeed = record.serverSeed().orElse(ByteString.EMPTY);
        Expected.same("the server seed of the record", reveal.getServerSeed(), serverSeed);
        Expected.same("the entropies of the record", reveal.getEntropiesList(), record.entropies());
    }

    /** Returns the seed, as far as anybody is bound to it. */
    private static ByteString boundSeed(
            MatchConfig published, MatchState state, DiceReveal reveal, MatchRecord record) {
        if (published.getDice().getOrigin() == SeedOrigin.SEED_ORIGIN_CHOSEN) {
            Expected.same(
                    "the seed of the record", reveal.getSeed(), record.seed().orElse(ByteString.EMPTY));
            return reveal.getSeed();
        }
        ByteString content = published.getRules().getContentHash();
        Dice.Terms terms = new Dice.Terms(
                record.id(), published.getGame(), rulesOf(published), content, published.getOptionsHash());
        ByteString derived = Dice.commitment(terms, reveal.getServerSeed());
        Expected.same("the commitment", published.getDice().getCommitment(), derived);
        for (int seat = 0; seat < state.getSeatsCount(); seat++) {
            ByteString shown = state.getSeats(seat).getEntropyCommitment();
            if (!shown.isEmpty()) {
                int place = placeOf(published, seat);
                ByteString bound = Dice.entropyCommitment(record.id(), place, entropyOf(reveal, place));
                Expected.same("the entropy commitment of seat " + seat, shown, bound);
            }
        }
        ByteString seed = Dice.matchSeed(record.id(), reveal.getServerSeed(), reveal.getEntropiesList());
        Expected.same("the seed", seed, reveal.getSeed());
        return seed;
    }

    /** Checks that the record has the players and the result that the server tells. */
    private static void checkEnd(MatchState state, MatchRecord record) {
        List<String> players =
                state.getSeatsList().stream().map(SeatState::getPlayer).toList();
        Expected.same("the names", players, record.players());
        List<String> acts =
                record.refereeActs().stream().map(RefereeActLine::kind).toList();
        List<String> told = state.getRefereeActsList().stream()
                .map(act -> wordOf(act.getKind()))
                .toList();
        Expected.same("the acts of referees", told, acts);
        List<Integer> corrected = record.refereeActs().stream()
                .filter(act -> act.kind().equals("corrected"))
                .map(RefereeActLine::returns)
                .reduce(List.of(), (before, last) -> last);
        Expected.same("the corrected result", state.getCorrectedReturnsList(), corrected);
        if (!record.givenUp().isEmpty() || acts.contains("voided")) {
            Expected.same("the result", "result none", record.result());
            return;
        }
        MatchResult result = state.getResult();
        String returns = result.getReturnsList().stream().map(String::valueOf).collect(Collectors.joining(" "));
        String line = "result " + result.getCode() + " rule " + result.getRule() + " returns " + returns + " grade "
                + RecordText.quoted(result.getGrade());
        Expected.same("the result", line, record.result());
    }

    private static void checkSeen(List<Event> seen, MatchRecord record) {
        record Place(long stream, long n) {}
        Set<Place> places = record.drawn().stream()
                .map(event -> new Place(event.stream(), event.n()))
                .collect(Collectors.toSet());
        for (Event event : seen) {
            long stream = Integer.toUnsignedLong(event.getChanceRef().getStream());
            long n = Integer.toUnsignedLong(event.getChanceRef().getN());
            if (event.hasChanceRef() && !places.contains(new Place(stream, n))) {
                throw new Unverified("the record lacks the draw " + stream + "/" + n + ", on which event "
                        + event.getSeq() + " rests");
            }
        }
    }

    private static String rulesOf(MatchConfig published) {
        return Integer.toUnsignedString(published.getRules().getNumber());
    }

    /** Returns the place of a seat's entropy: in a seed group, its entrant's place. */
    private static int placeOf(MatchConfig published, int seat) {
        List<Integer> entrants = published.getDice().getGroup().getSeatEntrantsList();
        return seat >= 0 && seat < entrants.size() ? entrants.get(seat) : seat;
    }

    private static ByteString entropyOf(DiceReveal reveal, int place) {
        boolean isThere = place >= 0 && place < reveal.getEntropiesCount();
        return isThere ? reveal.getEntropies(place) : ByteString.EMPTY;
    }

    /** Returns the act of a referee as a record calls it. */
    private static String wordOf(RefereeActKind kind) {
        return switch (kind) {
            case REFEREE_ACT_KIND_TIME_ADDED -> "time";
            case REFEREE_ACT_KIND_PLAYER_REPLACED -> "replaced";
            case REFEREE_ACT_KIND_MATCH_VOIDED -> "voided";
            case REFEREE_ACT_KIND_RESULT_CORRECTED -> "corrected";
            case REFEREE_ACT_KIND_MATCH_ADJOURNED -> "adjourned";
            case REFEREE_ACT_KIND_ADJOURNMENT_ENDED -> "resumed";
            case REFEREE_ACT_KIND_UNSPECIFIED, UNRECOGNIZED -> "";
        };
    }
}
