package dev.edgehill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The conventions of the package: small files, and a doc comment for all that is public. */
class ConventionsTest {
    private static final int LINES_MAX = 600;
    private static final Pattern PUBLIC = Pattern.compile("^ *public (?!static final class Builder).*[({=;].*");
    private static final Pattern OPENING = Pattern.compile("(?s).*/\\*\\* (What|Whether|Who|How) .*");

    private static List<Path> sources(String folder) throws IOException {
        try (Stream<Path> files =
                Files.walk(Checkout.ROOT.resolve("clients/java/src").resolve(folder))) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            assertFalse(sources.isEmpty());
            return sources;
        }
    }

    @Test
    void filesAreSmall() throws IOException {
        for (Path file : sources("")) {
            assertEquals(
                    Math.min(Files.readAllLines(file).size(), LINES_MAX),
                    Files.readAllLines(file).size(),
                    file.toString());
        }
    }

    @Test
    void publicItemsHaveDocComments() throws IOException {
        List<String> without = new ArrayList<>();
        for (Path file : sources("main")) {
            List<String> lines = Files.readAllLines(file);
            boolean isPackagePrivate = lines.stream().noneMatch(line -> line.startsWith("public "));
            for (int place = 0; place < lines.size(); place++) {
                String before = lines.get(Math.max(place - 1, 0)).strip();
                boolean isDocumented = before.endsWith("*/") || before.startsWith("@");
                if (!isPackagePrivate && PUBLIC.matcher(lines.get(place)).matches() && !isDocumented) {
                    without.add(file.getFileName() + ":" + (place + 1));
                }
            }
        }
        assertEquals(List.of(), without);
    }

    @Test
    void commentsOpenWithWhatTheyExplain() throws IOException {
        for (Path file : sources("main")) {
            assertFalse(OPENING.matcher(Files.readString(file)).matches(), file.toString());
        }
    }
}
