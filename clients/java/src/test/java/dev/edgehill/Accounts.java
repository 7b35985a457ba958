package dev.edgehill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file of accounts for a server, and their keys. */
final class Accounts {
    private static final Pattern KEY = Pattern.compile("ehk_[^\\s\"]+");

    private final Path folder;
    private final StringBuilder lines = new StringBuilder();
    private final Map<String, String> keys = new TreeMap<>();

    Accounts(Path folder) {
        this.folder = folder;
    }

    /** Makes an account with a key. */
    Accounts with(String id, String role) {
        try {
            Process process = new ProcessBuilder(
                            TestServer.binary(), "key", "--account", id, "--role", role, "--key-file", keyFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher key = KEY.matcher(said);
            if (!key.find()) {
                throw new IllegalStateException("no key: " + said);
            }
            keys.put(id, key.group());
            lines.append(said).append('\n');
            return this;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    String key(String id) {
        return keys.get(id);
    }

    /** Starts a server that asks for these accounts. */
    TestServer serve() {
        Path file = folder.resolve("accounts.toml");
        try {
            Files.writeString(file, lines);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        TestServer server =
                new TestServer(Map.of("EDGEHILL_KEY_FILE", keyFile(), "EDGEHILL_ACCOUNTS", file.toString()));
        server.start();
        return server;
    }

    private String keyFile() {
        return folder.resolve("server.key").toString();
    }
}
