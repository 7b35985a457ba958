package dev.edgehill;

import dev.edgehill.v1.ErrorReason;
import dev.edgehill.v1.FieldViolation;
import dev.edgehill.v1.Refusal;
import dev.edgehill.v1.RuleViolation;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The server has refused a call: nothing has changed, and no die was asked for. docs/errors.md says what to do about each
 * reason.
 */
public final class Refused extends EdgehillException {
    private static final long serialVersionUID = 1L;
    private static final String PREFIX = "ERROR_REASON_";

    private final Refusal refusal;

    /** Makes the error of a refusal. */
    public Refused(Refusal refusal) {
        super(wordsOf(refusal));
        this.refusal = refusal;
    }

    /** Returns all that the server has said. */
    public Refusal refusal() {
        return refusal;
    }

    /** Returns the reason that programs go by; {@code UNRECOGNIZED} for one of a newer server. */
    public ErrorReason reason() {
        return refusal.getReason();
    }

    /** Returns the reason as docs/errors.md has it, such as {@code ILLEGAL_ACTION}; its number if it is a newer server's. */
    public String reasonName() {
        return nameOf(refusal);
    }

    /** Returns the status code of gRPC; {@code UNKNOWN} for a number that is none. */
    public Status.Code code() {
        return Status.fromCodeValue(refusal.getCode()).getCode();
    }

    /** Returns every rule that the action at {@link #index} would violate. */
    public List<RuleViolation> ruleViolations() {
        return refusal.getRuleViolationsList();
    }

    /** Returns the fields of the request that are at fault. */
    public List<FieldViolation> fieldViolations() {
        return refusal.getFieldViolationsList();
    }

    /** Returns the place of the action at fault in the list or line that was sent, from 0. */
    public OptionalInt index() {
        return refusal.hasIndex() ? OptionalInt.of(refusal.getIndex()) : OptionalInt.empty();
    }

    /** Returns the last number of the caller's own sequence; with STALE_SEQUENCE. */
    public OptionalLong seq() {
        return refusal.hasSeq() ? OptionalLong.of(refusal.getSeq()) : OptionalLong.empty();
    }

    /** Returns the time to wait before the same call makes sense again; empty: to repeat it is of no use. */
    public Optional<Duration> retryAfter() {
        return refusal.hasRetryAfter() ? Optional.of(Durations.of(refusal.getRetryAfter())) : Optional.empty();
    }

    private static String nameOf(Refusal refusal) {
        if (refusal.getReason() == ErrorReason.UNRECOGNIZED) {
            return Integer.toString(refusal.getReasonValue());
        }
        String name = refusal.getReason().name();
        return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }

    /** Says everything once: the server's sentence often has the violations already. */
    private static String wordsOf(Refusal refusal) {
        Stream<String> fields = refusal.getFieldViolationsList().stream()
                .map(violation -> violation.getField() + ": " + violation.getDescription());
        Stream<String> rules = refusal.getRuleViolationsList().stream().map(Refused::cited);
        Stream<String> further = Stream.concat(fields, rules)
                .filter(text -> !refusal.getMessage().contains(text));
        return Stream.concat(Stream.of(nameOf(refusal) + ": " + refusal.getMessage()), further)
                .collect(Collectors.joining("; "));
    }

    private static String cited(RuleViolation violation) {
        String words = violation.getText().isEmpty() ? violation.getCode() : violation.getText();
        boolean isContract =
                violation.getRule().isEmpty() || violation.getRule().equals("contract");
        return isContract ? words : words + " (rule " + violation.getRule() + ")";
    }
}
