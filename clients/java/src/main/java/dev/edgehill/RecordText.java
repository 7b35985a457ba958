package dev.edgehill;

import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lines of a record, and the JSON strings in them. */
final class RecordText {
    private RecordText() {}

    /** Returns a text for a message, in quotes, not longer than a line. */
    static String quote(String text) {
        return new JsonPrimitive(text.substring(0, Math.min(text.length(), 100))).toString();
    }

    /** Returns the lines of a text, with those that were broken at 100 bytes joined again. */
    static List<String> unwrapped(String text) {
        List<StringBuilder> lines = new ArrayList<>();
        int place = 0;
        for (String raw : withoutEnd(text, "\r\n ").split("\n", -1)) {
            place += 1;
            String line = withoutEnd(raw, "\r ");
            if (!line.chars().allMatch(unit -> unit >= ' ' && unit <= '~')) {
                throw new Unverified("line " + place + " has other characters than printable ASCII");
            }
            if (!lines.isEmpty() && line.startsWith("  ")) {
                int from = line.startsWith("  \\") ? 3 : 1;
                lines.get(lines.size() - 1).append(line, from, line.length());
            } else {
                lines.add(new StringBuilder(line));
            }
        }
        return lines.stream().map(StringBuilder::toString).toList();
    }

    /** Returns the text of a JSON string; empty for anything else. */
    static Optional<String> unquoted(String json) {
        try (JsonReader reader = new JsonReader(new StringReader(json))) {
            reader.setStrictness(Strictness.STRICT);
            if (reader.peek() != JsonToken.STRING) {
                return Optional.empty();
            }
            String text = reader.nextString();
            return reader.peek() == JsonToken.END_DOCUMENT ? Optional.of(text) : Optional.empty();
        } catch (IOException | IllegalStateException none) {
            return Optional.empty();
        }
    }

    /** Returns a JSON string as records write it: in ASCII, and without two blanks together. */
    static String quoted(String text) {
        StringBuilder written = new StringBuilder();
        char before = 0;
        String json = new JsonPrimitive(text).toString();
        for (char unit : json.toCharArray()) {
            boolean isPlain = unit >= ' ' && unit <= '~' && !(unit == ' ' && before == ' ');
            written.append(isPlain ? String.valueOf(unit) : String.format("\\u%04x", (int) unit));
            before = unit;
        }
        return written.toString();
    }

    private static String withoutEnd(String text, String dropped) {
        int end = text.length();
        while (end > 0 && dropped.indexOf(text.charAt(end - 1)) >= 0) {
            end -= 1;
        }
        return text.substring(0, end);
    }
}
