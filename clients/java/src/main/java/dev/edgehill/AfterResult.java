package dev.edgehill;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of a record from its result on: the match's end, and the host's word. */
final class AfterResult {
    // At most 15 digits, as many as every language counts exactly.
    private static final Pattern ADJOURNED =
            Pattern.compile("adjourned ([0-9]{1,15}) by (seats|referee) for ([0-9]{1,15})(?: lasted ([0-9]{1,15}))?");
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,15}");
    private static final Pattern TIME = Pattern.compile("-?[0-9]{1,15}");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");

    private String result = "";
    private String givenUp = "";
    private final List<AdjournmentLine> adjournments = new ArrayList<>();
    private final List<RefereeActLine> refereeActs = new ArrayList<>();

    void begin(String line) {
        result = line;
    }

    boolean hasBegun() {
        return !result.isEmpty();
    }

    String result() {
        return result;
    }

    String givenUp() {
        return givenUp;
    }

    List<AdjournmentLine> adjournments() {
        return List.copyOf(adjournments);
    }

    List<RefereeActLine> refereeActs() {
        return List.copyOf(refereeActs);
    }

    /** Reads a line behind the result; returns false for one that is none of a record. */
    boolean read(String line) {
        LineScanner scanner = new LineScanner(line);
        return switch (scanner.word()) {
            case "given-up" -> readGivenUp(scanner.rest());
            case "adjourned" -> readAdjournment(line);
            case "referee" -> readAct(scanner).map(refereeActs::add).orElse(false);
            default -> false;
        };
    }

    private boolean readGivenUp(String seat) {
        boolean isFirst = givenUp.isEmpty() && adjournments.isEmpty() && refereeActs.isEmpty();
        givenUp = seat;
        return isFirst && result.equals("result none") && !seat.isEmpty() && seat.indexOf(' ') < 0;
    }

    private boolean readAdjournment(String line) {
        Matcher found = ADJOURNED.matcher(line);
        if (!found.matches()) {
            return false;
        }
        Optional<Duration> lasted =
                Optional.ofNullable(found.group(4)).map(Long::parseLong).map(Duration::ofMillis);
        Duration longest = Duration.ofMillis(Long.parseLong(found.group(3)));
        return adjournments.add(new AdjournmentLine(Long.parseLong(found.group(1)), found.group(2), longest, lasted));
    }

    private static Optional<RefereeActLine> readAct(LineScanner scanner) {
        String entries = scanner.word();
        if (!COUNT.matcher(entries).matches()) {
            return Optional.empty();
        }
        String kind = scanner.word();
        Optional<String> seat = Optional.empty();
        Optional<Duration> time = Optional.empty();
        Optional<String> formerPlayer = Optional.empty();
        List<Integer> returns = new ArrayList<>();
        String next;
        switch (kind) {
            case "voided", "resumed" -> next = scanner.word();
            case "time" -> {
                seat = Optional.of(scanner.word());
                time = millis(scanner.word(), TIME);
                next = time.isPresent() ? scanner.word() : "";
            }
            case "adjourned" -> {
                time = millis(scanner.word(), COUNT);
                next = time.isPresent() ? scanner.word() : "";
            }
            case "replaced" -> {
                seat = Optional.of(scanner.word());
                formerPlayer = scanner.quoted();
                next = formerPlayer.isPresent() ? scanner.word() : "";
            }
            case "corrected" -> {
                next = scanner.word();
                while (NUMBER.matcher(next).matches()) {
                    returns.add(Integer.parseInt(next));
                    next = scanner.word();
                }
                next = returns.isEmpty() ? "" : next;
            }
            default -> next = "";
        }
        boolean isNamed = seat.map(id -> !id.isEmpty() && id.indexOf('"') < 0).orElse(true);
        Optional<String> reason = next.equals("reason") && isNamed ? scanner.quoted() : Optional.empty();
        if (reason.isEmpty() || !scanner.isAtEnd()) {
            return Optional.empty();
        }
        return Optional.of(new RefereeActLine(
                Long.parseLong(entries), kind, reason.get(), seat, time, formerPlayer, List.copyOf(returns)));
    }

    private static Optional<Duration> millis(String digits, Pattern form) {
        return form.matcher(digits).matches()
                ? Optional.of(Duration.ofMillis(Long.parseLong(digits)))
                : Optional.empty();
    }
}
