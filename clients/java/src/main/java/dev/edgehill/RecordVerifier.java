package dev.edgehill;

import com.google.protobuf.ByteString;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The check of a record as far as it goes without the rules and without knowing how the match was made.
 *
 * <p>{@code edgehill verify} has the whole of it; the parts are called as they are there (docs/record.md, "What a check
 * shows").
 */
public final class RecordVerifier {
    /** The name of what a host signs, before the digest. */
    private static final ByteString KIND = Hashes.utf8("edgehill record v2");

    private RecordVerifier() {}

    /** Checks the digest of a record, its commitment and those of the seats, and a signature of whoever it is. */
    public static RecordCheck verifyRecord(String text) {
        return verify(text, Optional.empty());
    }

    /**
     * Checks the digest of a record, its signature, its commitment and those of the seats. A record that is not wrong is not
     * yet true: see {@link RecordCheck#unchecked}.
     *
     * @param signingKeys the public keys of the server that it is said to be of ({@link Client#signingKeys}): it has to be
     *     signed with one of them
     * @throws Unverified for the first thing that is wrong
     */
    public static RecordCheck verifyRecord(String text, Collection<ByteString> signingKeys) {
        return verify(text, Optional.of(signingKeys));
    }

    static RecordCheck verify(String text, Optional<Collection<ByteString>> signingKeys) {
        MatchRecord record = MatchRecord.read(text);
        Map<RecordPart, String> unchecked = new EnumMap<>(RecordPart.class);
        unchecked.put(RecordPart.RULES, "actions, digests and result are for a replay by the rules, `edgehill verify`");
        unchecked.put(RecordPart.SEED, openSeed(record));
        checkCommitments(record);
        Optional<String> nobody = openSignature(record, signingKeys);
        boolean isCommitted = record.dice().equals("committed");
        if (isCommitted && record.serverSeed().isEmpty()) {
            unchecked.put(RecordPart.ENTROPY, "it is withheld with the seed");
        } else if (isCommitted) {
            nobody.ifPresent(why -> unchecked.put(RecordPart.ENTROPY, why));
        }
        if (!hasEnded(record)) {
            unchecked.put(RecordPart.END, "the match was not over when it was recorded");
        } else {
            nobody.ifPresent(why -> unchecked.put(RecordPart.END, why));
        }
        nobody.ifPresent(why -> unchecked.put(RecordPart.NAMES, why));
        nobody.ifPresent(why -> unchecked.put(RecordPart.HOSTS_WORD, why));
        return new RecordCheck(record, Collections.unmodifiableMap(unchecked));
    }

    private static String openSeed(MatchRecord record) {
        if (!record.dice().equals("committed") && !record.dice().equals("chosen")) {
            return "there is none: outcomes can be any";
        }
        return record.serverSeed().or(record::seed).isPresent()
                ? "outcomes are drawn again by `verifyDice`"
                : "it is withheld: outcomes and digests can be any";
    }

    private static boolean hasEnded(MatchRecord record) {
        boolean hasResult = !record.result().isEmpty() && !record.result().equals("result none");
        boolean isVoided =
                record.refereeActs().stream().anyMatch(act -> act.kind().equals("voided"));
        return hasResult || !record.givenUp().isEmpty() || isVoided;
    }

    /** Returns the reason for which nobody vouches for the record; empty if the holder of a known key does. */
    private static Optional<String> openSignature(MatchRecord record, Optional<Collection<ByteString>> signingKeys) {
        Optional<List<String>> known = signingKeys.map(Signatures::digits);
        String named = known.filter(keys -> !keys.isEmpty())
                .map(keys -> String.join(" or ", keys))
                .orElse("a known key");
        if (record.signature().isEmpty()) {
            if (known.isPresent()) {
                throw new Unverified("the signature of " + named + ": there is none");
            }
            return Optional.of("it is not signed");
        }
        MatchRecord.Signature signature = record.signature().get();
        String key = Hashes.hex(signature.signer());
        if (known.isPresent() && !known.get().contains(key)) {
            throw new Unverified("the signature of " + named + ": found that of " + key);
        }
        if (!Signatures.hasSigned(signature.signer(), KIND.concat(record.digest()), signature.bytes())) {
            throw new Unverified("the signature: " + key + " has not signed these lines");
        }
        return known.isPresent() ? Optional.empty() : Optional.of("whose key has signed it is not known");
    }

    private static void checkCommitments(MatchRecord record) {
        record.entropyCommitments().forEach((place, bound) -> {
            ByteString entropy = record.entropies().get(place);
            ByteString derived = Dice.entropyCommitment(record.id(), place, entropy);
            Expected.same("the entropy commitment of place " + place, derived, bound);
        });
        if (record.serverSeed().isEmpty()) {
            return;
        }
        if (record.group().isEmpty()) {
            Expected.same(
                    "the number of entropies",
                    record.players().size(),
                    record.entropies().size());
        }
        Dice.Terms terms =
                new Dice.Terms(record.id(), record.game(), record.rules(), record.content(), record.optionsHash());
        ByteString derived = Dice.commitment(terms, record.serverSeed().get());
        Expected.same("the commitment", derived, record.commitment());
    }
}
