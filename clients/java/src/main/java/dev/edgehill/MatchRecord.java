package dev.edgehill;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A record (docs/record.md), read as far as it goes without the rules: its header, its chance events and its end.
 *
 * @param game the game's id
 * @param rules the rules version that it was begun under, as it is written
 * @param content the hash of the content that it was begun with
 * @param repinned the rules version and the content, in digits, that took it up since; empty where there are none
 * @param scenario the scenario's id
 * @param options the options, sorted by id
 * @param match the match's id
 * @param players the players' names, in the order of the seats; empty for those without a name
 * @param position the described position, as JSON; empty where there is none
 * @param dice the source of outcomes: {@code committed}, {@code chosen}, {@code scripted}, {@code entered}, {@code playout}
 * @param group the seed group's id; empty where there is none
 * @param commitment the commitment to the server seed
 * @param serverSeed the server seed; also empty while it is withheld
 * @param salt the salt of the options hash; also empty while it is withheld
 * @param seed the seed of a match whose seed was chosen; also empty while it is withheld
 * @param entropies the entropies by place; zeros where none was given
 * @param entropyCommitments the entropy commitments, by place, of those who were bound to theirs
 * @param drawn the chance events in their order
 * @param result the line of the result; empty where there is none
 * @param givenUp the id of the seat that gave up while the host could not play the match; empty if none did
 * @param adjournments the times for which the match was adjourned, in order: its host's word
 * @param refereeActs the acts of referees, in order: its host's word
 * @param digest the digest of the text, which its line {@code end} has
 * @param signature the signature; empty where there is none
 */
public record MatchRecord(
        String game,
        String rules,
        ByteString content,
        String repinned,
        String scenario,
        List<Dice.Option> options,
        String match,
        List<String> players,
        String position,
        String dice,
        String group,
        ByteString commitment,
        Optional<ByteString> serverSeed,
        Optional<ByteString> salt,
        Optional<ByteString> seed,
        List<ByteString> entropies,
        Map<Integer, ByteString> entropyCommitments,
        List<Drawn> drawn,
        String result,
        String givenUp,
        List<AdjournmentLine> adjournments,
        List<RefereeActLine> refereeActs,
        ByteString digest,
        Optional<Signature> signature) {
    /**
     * The signature of a record.
     *
     * @param signer the public key, 32 bytes of Ed25519
     * @param bytes the signature of the record's kind and digest, 64 bytes
     */
    public record Signature(ByteString signer, ByteString bytes) {}

    /**
     * Reads the text of an {@code .edg} file. A signature is read, and not checked.
     *
     * @throws Unverified for a text that is no record, and where its digest is another
     */
    public static MatchRecord read(String text) {
        return new RecordReader().read(text);
    }

    /** Returns the id that commitment and seed were made for: the group or, without one, the match. */
    public String id() {
        return group.isEmpty() ? match : group;
    }

    /** Returns the hash of scenario, options and position, part of what the commitment commits to. */
    public ByteString optionsHash() {
        return Dice.optionsHash(salt.orElse(ByteString.EMPTY), scenario, options, position);
    }
}
