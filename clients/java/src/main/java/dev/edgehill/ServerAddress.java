package dev.edgehill;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/** The address of a server, checked before anything is tried. */
record ServerAddress(boolean isSecure, String host, int port) {
    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\s:/\\[\\]@?#]+):([0-9]{1,5})");
    private static final String EXPECTED = "a server is host:port, http://host:port or https://host";

    /** Reads {@code localhost:7400}, {@code http://localhost:7400}, {@code https://play.example}. */
    static ServerAddress read(String server) {
        boolean isUrl = server.contains("://");
        if (!isUrl && !HOST_AND_PORT.matcher(server).matches()) {
            throw wrong(server);
        }
        URI uri;
        try {
            uri = new URI(isUrl ? server : "http://" + server);
        } catch (URISyntaxException unreadable) {
            throw wrong(server);
        }
        boolean isSecure = "https".equalsIgnoreCase(uri.getScheme());
        boolean isPlain = uri.getUserInfo() == null
                && uri.getQuery() == null
                && uri.getFragment() == null
                && uri.getPath() != null
                && uri.getPath().matches("/?");
        int port = uri.getPort() >= 0 ? uri.getPort() : isSecure ? 443 : 80;
        boolean hasPort = port > 0 && port < 1 << 16;
        boolean isKnown = isSecure || "http".equalsIgnoreCase(uri.getScheme());
        if (!isKnown || !isPlain || uri.getHost() == null || !hasPort) {
            throw wrong(server);
        }
        return new ServerAddress(isSecure, uri.getHost(), port);
    }

    /** Returns the origin, such as {@code https://play.example}. */
    String url() {
        int usual = isSecure ? 443 : 80;
        return (isSecure ? "https://" : "http://") + host + (port == usual ? "" : ":" + port);
    }

    private static InvalidOption wrong(String server) {
        return new InvalidOption(EXPECTED + "; found \"" + server + "\"");
    }
}
