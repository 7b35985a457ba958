package dev.edgehill;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Hands connections on to a server. Made to lose answers, it hands all requests on, and no answer. */
final class Relay implements AutoCloseable {
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile String target;
    private volatile boolean isLosing;

    Relay(String target) {
        this.target = target;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        begin(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    Client client() {
        return Client.connect(address());
    }

    /** From now on nothing comes back. */
    void loseAnswers() {
        isLosing = true;
    }

    /** Breaks all connections; new ones lead to another server, and its answers come back. */
    void moveTo(String other) {
        target = other;
        isLosing = false;
        cut();
    }

    /** Breaks all connections. */
    void cut() {
        for (Socket socket : open) {
            end(socket);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        cut();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                begin(() -> connect(client));
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private void connect(Socket client) {
        int colon = target.lastIndexOf(':');
        Socket server;
        try {
            server = new Socket(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
        } catch (IOException refused) {
            end(client);
            return;
        }
        open.add(client);
        open.add(server);
        begin(() -> copy(client, server, false));
        begin(() -> copy(server, client, true));
    }

    private void copy(Socket from, Socket to, boolean isAnswer) {
        byte[] buffer = new byte[16_384];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (!isAnswer || !isLosing) {
                    out.write(buffer, 0, count);
                }
            }
        } catch (IOException broken) {
            // Both ends are closed below.
        }
        end(from);
        end(to);
    }

    private void end(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void begin(Runnable work) {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }
}
