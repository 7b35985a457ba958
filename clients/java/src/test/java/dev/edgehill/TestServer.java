package dev.edgehill;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server that runs, as a process, on a free loopback port, over a store of its own that outlives it. */
final class TestServer implements AutoCloseable, BeforeAllCallback, AfterAllCallback {
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
    private static final String LISTENING = "listening on ";

    static {
        // However the suite ends, its servers end with it.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final Map<String, String> variables;
    private final Path folder;
    private Process process;
    private String address = "";

    /** Makes a server that begins and ends with a class of tests. */
    TestServer() {
        this(Map.of());
    }

    /** Makes a server with variables of its configuration. */
    TestServer(Map<String, String> variables) {
        this.variables = variables;
        try {
            this.folder = Files.createTempDirectory("edgehill-");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Starts a server for the test that closes it. */
    static TestServer started() {
        TestServer server = new TestServer();
        server.start();
        return server;
    }

    /** Returns the binary of the server: EDGEHILL_SERVER_BIN, or that of the checkout. */
    static String binary() {
        return Optional.ofNullable(System.getenv("EDGEHILL_SERVER_BIN"))
                .orElseGet(() ->
                        Checkout.ROOT.resolve("target/debug/edgehill-server").toString());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    /** Returns host and port. */
    String address() {
        return address;
    }

    /** Returns a client of this server. */
    Client client() {
        return Client.connect(address);
    }

    /** Starts it, on another port than before. */
    void start() {
        if (!Files.isExecutable(Path.of(binary()))) {
            throw new IllegalStateException(binary() + ": cargo build -p edgehill-service --bin edgehill-server");
        }
        List<String> command = List.of(binary(), "--listen", "127.0.0.1:0", "--store", store());
        try {
            process = builder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            RUNNING.add(process);
            BufferedReader lines = process.inputReader();
            String line = lines.readLine();
            if (line == null || !line.startsWith(LISTENING)) {
                throw new IllegalStateException("the server said " + line);
            }
            address = line.substring(LISTENING.length()).trim();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ends it at once, as a power failure would. */
    void kill() {
        end(process.destroyForcibly());
    }

    /** Has it end by itself. */
    void stop() {
        process.destroy();
        end(process);
    }

    /** Gives its store another key while it is stopped, and starts it. */
    void rotateKey(String... flags) {
        stop();
        List<String> command = new ArrayList<>(List.of(binary(), "rotate-key", "--store", store()));
        command.addAll(List.of(flags));
        try {
            Process rotating = builder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (rotating.waitFor() != 0) {
                throw new IllegalStateException("the key was not rotated");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        start();
    }

    /** Ends it, and drops its store. */
    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String store() {
        return folder.resolve("store").toString();
    }

    private ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("EDGEHILL_"));
        builder.environment().putAll(variables);
        return builder;
    }

    private static void end(Process ending) {
        try {
            ending.waitFor();
            RUNNING.remove(ending);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
