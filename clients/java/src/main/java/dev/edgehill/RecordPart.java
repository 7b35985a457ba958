package dev.edgehill;

/** A part of a record that a check may leave open, called as {@code edgehill verify} calls it (docs/record.md). */
public enum RecordPart {
    /** Actions, digests and result follow from the rules. */
    RULES("rules"),
    /** Outcomes and digests are those of the match's seed. */
    SEED("seed"),
    /** The entropies are those that the seats gave. */
    ENTROPY("entropy"),
    /** The match ended here, and so. */
    END("end"),
    /** These were the players. */
    NAMES("names"),
    /** A host says all of this. */
    HOSTS_WORD("host's word");

    private final String label;

    RecordPart(String label) {
        this.label = label;
    }

    /** Returns the name as it is written. */
    @Override
    public String toString() {
        return label;
    }
}
