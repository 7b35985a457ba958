package dev.edgehill;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An act of a referee, as a record has it. The rules know nothing of it.
 *
 * @param entries number of the record's entries before it
 * @param kind {@code time}, {@code replaced}, {@code voided}, {@code corrected}, {@code adjourned} or {@code resumed}
 * @param reason the referee's reason; may be empty
 * @param seat the seat whose clock was given time, or whose player was replaced
 * @param time the time that a clock was given, or the longest for which the match was adjourned
 * @param formerPlayer the name of the player who was replaced
 * @param returns the return of each seat, instead of the result's; empty but for {@code corrected}
 */
public record RefereeActLine(
        long entries,
        String kind,
        String reason,
        Optional<String> seat,
        Optional<Duration> time,
        Optional<String> formerPlayer,
        List<Integer> returns) {}
