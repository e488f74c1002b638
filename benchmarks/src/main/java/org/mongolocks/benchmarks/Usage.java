package org.mongolocks.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The help text. It is a resource file so that the script can print it without a build. */
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
