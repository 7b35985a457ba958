package dev.edgehill;

import static dev.edgehill.Asking.bothSeats;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with TLS: the authorities that a client trusts, and the certificates that it shows. */
class TlsTest {
    private static final List<String> KEY =
            List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc");

    @TempDir
    static Path folder;

    static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        // In CI it has to be there, and what it is missing for fails below.
        assumeTrue(System.getenv("CI") != null || hasOpenssl(), "openssl, which makes the certificates, is missing");
        for (String name : List.of("here", "clients", "elsewhere")) {
            authority(name);
        }
        certify("server", "here", "serverAuth");
        certify("ada", "clients", "clientAuth");
        certify("foreign", "elsewhere", "clientAuth");
        server = new TestServer(Map.of(
                "EDGEHILL_TLS__CERTIFICATE", path("server.pem"),
                "EDGEHILL_TLS__KEY", path("server.key"),
                "EDGEHILL_TLS__CLIENT_CA", path("clients.pem")));
        server.start();
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
        }
    }

    private static boolean hasOpenssl() throws InterruptedException {
        try {
            return new ProcessBuilder("openssl", "version").start().waitFor() == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    private static void openssl(List<String> given) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(given);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertEquals(0, process.waitFor(), command.toString());
    }

    /** Makes an authority that nobody else knows. */
    private static void authority(String name) throws Exception {
        List<String> given = new ArrayList<>(List.of("req", "-x509", "-days", "2", "-subj", "/CN=" + name));
        given.addAll(KEY);
        given.addAll(List.of("-keyout", name + ".key", "-out", name + ".pem"));
        openssl(given);
    }

    /** Has an authority certify this machine, as a server or as a client. */
    private static void certify(String name, String by, String usage) throws Exception {
        List<String> request = new ArrayList<>(List.of("req", "-new", "-subj", "/CN=" + name));
        request.addAll(KEY);
        request.addAll(List.of("-keyout", name + ".key", "-out", name + ".csr"));
        openssl(request);
        Files.writeString(
                folder.resolve(name + ".ext"),
                "subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=" + usage + "\n");
        openssl(List.of(
                "x509",
                "-req",
                "-in",
                name + ".csr",
                "-CA",
                by + ".pem",
                "-CAkey",
                by + ".key",
                "-CAcreateserial",
                "-days",
                "2",
                "-extfile",
                name + ".ext",
                "-out",
                name + ".pem"));
    }

    private static String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String pem(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    private static ClientBuilder builder() {
        return Client.builder("https://" + server.address())
                .retry(RetryPolicy.DEFAULT.withConnect(Duration.ofSeconds(5)));
    }

    @Test
    void clientThatTrustsAndShowsTheRightOnesIsServed() throws Exception {
        ClientBuilder shown = builder().ca(pem("here.pem")).cert(pem("ada.pem")).certKey(pem("ada.key"));
        try (Client client = shown.build();
                PlaySession session = client.playSeats()) {
            session.open(bothSeats(client).north());
            assertEquals(0, session.next().seat().number().orElseThrow());
            assertFalse(client.games().isEmpty());
        }
    }

    @Test
    void othersAreNot() throws Exception {
        List<ClientBuilder> others = List.of(
                builder().ca(pem("elsewhere.pem")).cert(pem("ada.pem")).certKey(pem("ada.key")),
                builder().cert(pem("ada.pem")).certKey(pem("ada.key")),
                builder().ca(pem("here.pem")),
                builder().ca(pem("here.pem")).cert(pem("foreign.pem")).certKey(pem("foreign.key")));
        RetryPolicy soon =
                RetryPolicy.DEFAULT.withConnect(Duration.ofMillis(500)).withDeadline(Duration.ZERO);
        for (ClientBuilder other : others) {
            try (Client client = other.retry(soon).build()) {
                assertThrows(CallFailed.class, client::games);
            }
        }
    }
}
