package dev.edgehill;

import dev.edgehill.v1.SeatConfig;
import dev.edgehill.v1.SeatKind;

/** The callers that may take each seat of a match that is made. */
public final class SeatConfigs {
    private SeatConfigs() {}

    /** Returns a seat that is open to anyone. */
    public static SeatConfig openSeat() {
        return SeatConfig.newBuilder().setKind(SeatKind.SEAT_KIND_OPEN).build();
    }

    /** Returns a seat for the holder of its invitation. */
    public static SeatConfig invitedSeat() {
        return SeatConfig.newBuilder().setKind(SeatKind.SEAT_KIND_INVITED).build();
    }

    /** Returns a seat for the holder of this account's key, who needs no invitation; on servers that have accounts. */
    public static SeatConfig accountSeat(String accountId) {
        return invitedSeat().toBuilder().setAccountId(accountId).build();
    }

    /** Returns a seat for the game's house bot {@code random}, which every game has. */
    public static SeatConfig houseBot() {
        return houseBot("random");
    }

    /** Returns a seat for one of the game's house bots ({@code Game.house_bots}). */
    public static SeatConfig houseBot(String name) {
        return SeatConfig.newBuilder()
                .setKind(SeatKind.SEAT_KIND_HOUSE_BOT)
                .setBot(name)
                .build();
    }
}
