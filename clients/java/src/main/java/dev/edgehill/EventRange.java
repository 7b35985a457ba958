package dev.edgehill;

/**
 * Numbers of events.
 *
 * @param first the first
 * @param last the last
 */
public record EventRange(long first, long last) {}
