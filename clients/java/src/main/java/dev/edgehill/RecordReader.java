package dev.edgehill;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A record while it is read, line by line. */
final class RecordReader {
    private static final String FIRST_LINE = "edgehill record 2";
    private static final String DIGEST_TAG = "edgehill/record/2";
    private static final String WITHHELD = "withheld";
    private static final ByteString ABSENT = ByteString.copyFrom(new byte[32]);
    private static final Pattern DRAWN =
            Pattern.compile("(dice|draw) ([0-9]{1,10})/([0-9]{1,10}): (.+) \\[[0-9a-f]{16}]");
    private static final Pattern END = Pattern.compile("end [0-9a-f]{64}");
    private static final Pattern SIGNER = Pattern.compile("signer ([0-9a-f]{64})");
    private static final Pattern SIGNATURE = Pattern.compile("signature ([0-9a-f]{128})");
    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern FACE = Pattern.compile("[0-9]{1,3}");

    /** The words of the header whose rest is kept as it is. */
    private static final List<String> PLAIN = List.of("game", "rules", "repinned", "scenario", "dice", "position");

    private final Map<String, String> words = new HashMap<>();
    private final Map<String, ByteString> hashes = new HashMap<>();
    private final List<Dice.Option> options = new ArrayList<>();
    private final List<String> players = new ArrayList<>();
    private final List<ByteString> entropies = new ArrayList<>();
    private final Map<Integer, ByteString> entropyCommitments = new HashMap<>();
    private final List<Drawn> drawn = new ArrayList<>();
    private final AfterResult after = new AfterResult();
    private ByteString digest = ByteString.EMPTY;
    private Optional<MatchRecord.Signature> signature = Optional.empty();

    MatchRecord read(String text) {
        List<String> lines = RecordText.unwrapped(text);
        if (!lines.get(0).equals(FIRST_LINE)) {
            throw new Unverified("expected \"" + FIRST_LINE + "\", the only format that is read here, found "
                    + RecordText.quote(lines.get(0)));
        }
        // The entries come after the header, and a seat may be called as a line of it is.
        boolean isHeader = true;
        List<String> sealed = readSeal(lines);
        for (String line : sealed.subList(1, sealed.size())) {
            isHeader &= !line.startsWith("start [");
            if (!readLine(line, isHeader)) {
                throw new Unverified("the line " + RecordText.quote(line) + " is none of a record");
            }
        }
        return record();
    }

    private MatchRecord record() {
        return new MatchRecord(
                word("game"),
                word("rules"),
                hash("content").orElse(ByteString.EMPTY),
                word("repinned"),
                word("scenario"),
                List.copyOf(options),
                word("match"),
                List.copyOf(players),
                word("position"),
                word("dice"),
                word("group"),
                hash("commitment").orElse(ByteString.EMPTY),
                hash("server-seed"),
                hash("salt"),
                hash("seed"),
                List.copyOf(entropies),
                Map.copyOf(entropyCommitments),
                List.copyOf(drawn),
                after.result(),
                after.givenUp(),
                after.adjournments(),
                after.refereeActs(),
                digest,
                signature);
    }

    private String word(String name) {
        return words.getOrDefault(name, "");
    }

    private Optional<ByteString> hash(String name) {
        return Optional.ofNullable(hashes.get(name));
    }

    /** Reads digest and signature; returns the lines that they are of. */
    private List<String> readSeal(List<String> lines) {
        int count = lines.size();
        Matcher signer = SIGNER.matcher(count < 2 ? "" : lines.get(count - 2));
        Matcher signed = SIGNATURE.matcher(lines.get(count - 1));
        if (signer.matches() && signed.matches()) {
            signature = Optional.of(
                    new MatchRecord.Signature(Hashes.bytes(signer.group(1)), Hashes.bytes(signed.group(1))));
            count -= 2;
        }
        String end = count == 0 ? "" : lines.get(count - 1);
        if (count < 2 || !END.matcher(end).matches()) {
            throw new Unverified("a record ends with \"end\" and 64 digits, or with a signature after that; this with "
                    + RecordText.quote(end));
        }
        List<String> sealed = lines.subList(0, count - 1);
        digest = Hashes.sha256(DIGEST_TAG + String.join("\n", sealed) + "\n");
        String expected = Hashes.hex(digest);
        if (!end.equals("end " + expected)) {
            throw new Unverified(
                    "the digest of the text: expected " + expected + ", found " + end.substring("end ".length()));
        }
        return sealed;
    }

    /** Reads one line; returns false for one that is none of a record. */
    private boolean readLine(String line, boolean isHeader) {
        if (after.hasBegun()) {
            return after.read(line);
        }
        Matcher event = DRAWN.matcher(line);
        if (event.matches()) {
            return readDrawn(event);
        }
        if (isHeader) {
            LineScanner scanner = new LineScanner(line);
            return readHeaderLine(scanner.word(), scanner);
        }
        if (line.startsWith("result ")) {
            after.begin(line);
        }
        return true;
    }

    private boolean readDrawn(Matcher event) {
        long stream = Long.parseLong(event.group(2));
        long n = Long.parseLong(event.group(3));
        String what = event.group(4);
        if (event.group(1).equals("draw")) {
            return drawn.add(new Drawn(stream, n, List.of(), what));
        }
        List<Integer> faces = new ArrayList<>();
        for (String face : what.split(" ", -1)) {
            if (!FACE.matcher(face).matches()) {
                return false;
            }
            faces.add(Integer.parseInt(face));
        }
        return drawn.add(new Drawn(stream, n, List.copyOf(faces), ""));
    }

    private boolean readHeaderLine(String word, LineScanner scanner) {
        if (PLAIN.contains(word)) {
            words.put(word, scanner.rest());
            return true;
        }
        switch (word) {
            case "match", "group" -> {
                Optional<String> id = RecordText.unquoted(scanner.rest());
                words.put(word, id.orElse(""));
                return id.isPresent();
            }
            case "option" -> {
                return options.add(new Dice.Option(scanner.word(), scanner.rest()));
            }
            case "seat" -> {
                scanner.word();
                Optional<String> player = RecordText.unquoted(scanner.rest());
                players.add(player.orElse(""));
                return player.isPresent();
            }
            case "content", "commitment" -> {
                return readHash(word, scanner.rest());
            }
            case "server-seed", "seed", "salt" -> {
                String rest = scanner.rest();
                return rest.equals(WITHHELD) || readHash(word, rest);
            }
            case "entropy" -> {
                return readEntropy(scanner);
            }
            default -> {
                return true;
            }
        }
    }

    private boolean readHash(String name, String digits) {
        if (!DIGITS.matcher(digits).matches()) {
            return false;
        }
        hashes.put(name, Hashes.bytes(digits));
        return true;
    }

    private boolean readEntropy(LineScanner scanner) {
        int place = entropies.size();
        String found = scanner.word();
        if (!found.equals(Integer.toString(place))) {
            throw new Unverified(
                    "entropy of place " + place + " was expected, found that of " + RecordText.quote(found));
        }
        String given = scanner.word();
        if (!given.equals("absent") && !DIGITS.matcher(given).matches()) {
            return false;
        }
        entropies.add(given.equals("absent") ? ABSENT : Hashes.bytes(given));
        if (scanner.isAtEnd()) {
            return true;
        }
        String word = scanner.word();
        String bound = scanner.word();
        if (!word.equals("committed") || !DIGITS.matcher(bound).matches()) {
            return false;
        }
        entropyCommitments.put(place, Hashes.bytes(bound));
        return true;
    }
}
