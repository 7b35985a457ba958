package dev.edgehill;

import java.time.Duration;
import java.util.Optional;

/**
 * A time for which a match was adjourned, as its record has it. The rules know nothing of it.
 *
 * @param entries number of the record's entries before it
 * @param by {@code seats} or {@code referee}
 * @param longest the longest time that it was to last, in whole milliseconds
 * @param lasted the time that it lasted; empty: it had not ended when the record was made
 */
public record AdjournmentLine(long entries, String by, Duration longest, Optional<Duration> lasted) {}
