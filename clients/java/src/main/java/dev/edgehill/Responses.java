package dev.edgehill;

import dev.edgehill.v1.LegalDetail;
import dev.edgehill.v1.ResponseOptions;

/** The parts of the answer of a call that changes something; without them the least is sent. */
public final class Responses {
    /** View, legal actions and events. */
    public static final ResponseOptions FULL = ResponseOptions.newBuilder()
            .setIncludeView(true)
            .setIncludeEvents(true)
            .setLegal(LegalDetail.LEGAL_DETAIL_IDS)
            .build();

    /** Events, for a {@link ViewTracker}. */
    public static final ResponseOptions EVENTS =
            ResponseOptions.newBuilder().setIncludeEvents(true).build();

    private Responses() {}
}
