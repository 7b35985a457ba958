package dev.edgehill;

/**
 * The record of a match, as the server gives it.
 *
 * @param text the text of the {@code .edg} file
 * @param complete true if the match is finished
 */
public record ExportedRecord(String text, boolean complete) {}
