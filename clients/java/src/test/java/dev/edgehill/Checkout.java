package dev.edgehill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of the checkout that the tests are of. */
final class Checkout {
    /** Its root: Maven runs the tests in the folder of the package. */
    static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

    private Checkout() {}

    static String read(String path) {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
