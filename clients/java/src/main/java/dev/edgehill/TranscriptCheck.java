package dev.edgehill;

import java.util.List;

/**
 * A transcript in which nothing contradicts anything.
 *
 * @param receipts number of receipts
 * @param unproven events that no receipt proves
 * @param signed true if the holder of a known key has signed all receipts
 * @param complete true if a known server has signed for every event
 */
public record TranscriptCheck(int receipts, List<EventRange> unproven, boolean signed, boolean complete) {}
