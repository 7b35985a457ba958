package dev.edgehill;

import java.util.Optional;

/** A line, read word by word. */
final class LineScanner {
    private final String line;
    private int next;

    LineScanner(String line) {
        this.line = line;
    }

    boolean isAtEnd() {
        return next >= line.length();
    }

    /** Returns the text up to the next blank, and goes on behind it; empty at the end. */
    String word() {
        int blank = line.indexOf(' ', next);
        int end = blank < 0 ? line.length() : blank;
        String word = line.substring(Math.min(next, end), end);
        next = end + 1;
        return word;
    }

    /** Returns all that is left. */
    String rest() {
        return isAtEnd() ? "" : line.substring(next);
    }

    /** Returns the text of the JSON string that comes next, and goes on behind it and its blank; empty for anything else. */
    Optional<String> quoted() {
        if (isAtEnd() || line.charAt(next) != '"') {
            return Optional.empty();
        }
        int end = next + 1;
        while (end < line.length() && line.charAt(end) != '"') {
            end += line.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= line.length()) {
            return Optional.empty();
        }
        Optional<String> text = RecordText.unquoted(line.substring(next, end + 1));
        boolean isWhole = end + 1 == line.length() || line.charAt(end + 1) == ' ';
        next = end + 2;
        return isWhole ? text : Optional.empty();
    }
}
