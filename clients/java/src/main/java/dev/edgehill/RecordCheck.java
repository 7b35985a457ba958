package dev.edgehill;

import java.util.Map;

/**
 * A record in which nothing contradicts anything.
 *
 * @param record the record
 * @param unchecked the parts that could not be checked, each with the reason, in order. Whoever writes a record can write
 *     there as they like
 */
public record RecordCheck(MatchRecord record, Map<RecordPart, String> unchecked) {}
