package dev.edgehill;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.EntropyMode;
import dev.edgehill.v1.JoinMatchRequest;
import dev.edgehill.v1.Match;
import dev.edgehill.v1.MatchState;
import dev.edgehill.v1.MatchStatus;
import dev.edgehill.v1.SeatKind;
import dev.edgehill.v1.SeatState;
import dev.edgehill.v1.SeedOrigin;

/**
 * A seat that is about to be taken, once the match's commitment was seen.
 *
 * @param entropy the bytes for the dice; empty: none are given
 * @param request the request, with the entropy or, where seats commit to it, its commitment
 */
record Joining(ByteString entropy, JoinMatchRequest.Builder request) {
    private static final int ENTROPY_BYTES = 32;

    static Joining of(Match match, JoinOptions options) {
        JoinMatchRequest.Builder request = JoinMatchRequest.newBuilder()
                .setMatchId(match.getConfig().getMatchId())
                .setInvitation(options.invitation())
                .setPlayer(options.player())
                .setResponseOptions(options.responseOptions());
        options.seat().ifPresent(request::setSeat);
        ByteString entropy = entropyFor(match, options);
        EntropyMode mode = match.getConfig().getDice().getEntropyMode();
        if (mode != EntropyMode.ENTROPY_MODE_COMMIT_REVEAL || entropy.isEmpty()) {
            return new Joining(entropy, request.setEntropy(entropy));
        }
        int seat = options.seat().orElseGet(() -> firstOpen(match.getState(), options.invitation()));
        ByteString commitment = Dice.entropyCommitment(request.getMatchId(), seat, entropy);
        return new Joining(entropy, request.setSeat(seat).setEntropyCommitment(commitment));
    }

    private static ByteString entropyFor(Match match, JoinOptions options) {
        // Of a seat that was another player's the part in the dice stays.
        if (match.getState().getStatus() == MatchStatus.MATCH_STATUS_RUNNING) {
            return ByteString.EMPTY;
        }
        boolean isChosen = match.getConfig().getDice().getOrigin() == SeedOrigin.SEED_ORIGIN_CHOSEN;
        return options.entropy().orElseGet(() -> isChosen ? ByteString.EMPTY : RequestIds.random(ENTROPY_BYTES));
    }

    /** Returns the first seat that is open to anyone; the entropy commitment is made for it. */
    private static int firstOpen(MatchState state, String invitation) {
        for (int seat = 0; invitation.isEmpty() && seat < state.getSeatsCount(); seat++) {
            SeatState found = state.getSeats(seat);
            if (found.getKind() == SeatKind.SEAT_KIND_OPEN && !found.getJoined()) {
                return seat;
            }
        }
        throw new InvalidOption("an entropy commitment is made for one seat: name it with `setSeat`");
    }
}
