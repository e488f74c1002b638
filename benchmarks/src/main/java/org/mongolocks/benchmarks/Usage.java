package org.mongolocks.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Has the help text. It is a file, so that the script can print it before anything is built. */
final class Usage {
    private static final String FILE = "usage.txt";

    private Usage() {}

    static String text() {
        try (InputStream file = Usage.class.getResourceAsStream(FILE)) {
            return new String(Objects.requireNonNull(file, FILE).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
