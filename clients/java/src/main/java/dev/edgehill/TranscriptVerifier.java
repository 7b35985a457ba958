package dev.edgehill;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.Receipt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The check of a transcript's receipts against the events before them. */
public final class TranscriptVerifier {
    /** The name of what a server signs, before the digest. */
    private static final ByteString KIND = Hashes.utf8("edgehill receipt v1");

    private TranscriptVerifier() {}

    /** Checks the receipts of a transcript, whoever has signed them. */
    public static TranscriptCheck verifyTranscript(Transcript transcript) {
        return verify(transcript, Optional.empty());
    }

    /**
     * Checks the receipts of a transcript against the events before them. {@code edgehill verify --receipt}, which has the
     * rules, compares the events with a record.
     *
     * @param signingKeys the public keys of the server ({@link Client#signingKeys}), of which each receipt has to be
     * @throws Unverified for the first receipt that is wrong
     */
    public static TranscriptCheck verifyTranscript(Transcript transcript, Collection<ByteString> signingKeys) {
        return verify(transcript, Optional.of(Signatures.digits(signingKeys)));
    }

    private static TranscriptCheck verify(Transcript transcript, Optional<List<String>> known) {
        Transcript again = new Transcript(transcript.matchId(), transcript.seat());
        List<EventRange> unproven = new ArrayList<>();
        int receipts = 0;
        long proven = 0;
        // The last event that has a hash of its own: those up to it are proven by nothing but that.
        long jump = 0;
        for (Transcript.Shown shown : transcript.shown()) {
            if (shown instanceof Transcript.ShownEvent given) {
                again.add(given.event());
                if (!given.event().getStreamHash().isEmpty()) {
                    jump = again.seq();
                }
            } else if (shown instanceof Transcript.ShownReceipt given) {
                checkReceipt(given.receipt(), again, known);
                receipts += 1;
                if (jump > proven) {
                    unproven.add(new EventRange(proven + 1, jump));
                }
                proven = again.seq();
            }
        }
        if (proven < again.seq()) {
            unproven.add(new EventRange(proven + 1, again.seq()));
        }
        boolean isComplete = known.isPresent() && receipts > 0 && unproven.isEmpty();
        return new TranscriptCheck(receipts, List.copyOf(unproven), known.isPresent(), isComplete);
    }

    private static void checkReceipt(Receipt receipt, Transcript events, Optional<List<String>> known) {
        String what = "the receipt for number " + events.seq();
        String key = Hashes.hex(receipt.getSigner());
        if (!receipt.getStreamHash().equals(events.hash())) {
            throw new Unverified(what + " is for other events, or for another order");
        }
        if (known.isPresent() && !known.get().contains(key)) {
            throw new Unverified(what + ": found the signature of " + key);
        }
        String about = "match " + events.matchId() + "\nobserver " + events.observer() + "\nseq " + receipt.getSeq()
                + "\nstream-hash " + Hashes.hex(receipt.getStreamHash()) + "\n";
        ByteString digest = Hashes.sha256("edgehill/receipt/1\n" + about);
        if (!Signatures.hasSigned(receipt.getSigner(), KIND.concat(digest), receipt.getSignature())) {
            throw new Unverified(what + " is not signed by " + key);
        }
    }
}
