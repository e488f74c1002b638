package org.mongolocks.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the program in this JVM, and keeps the output of the latest run. */
final class ProgramRun {
    /**
     * Kept in a field, because a logger without a reference loses its level. Warnings about faults are expected here.
     */
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    ProgramRun() {
        LOCKS.setLevel(Level.OFF);
    }

    /** Runs the program and returns its exit status. */
    int of(String... arguments) {
        out.reset();
        return printingTo(new PrintStream(out, true, StandardCharsets.UTF_8), arguments);
    }

    /** Runs the program with another output stream, and returns its exit status. */
    int printingTo(PrintStream elsewhere, String... arguments) {
        err.reset();
        return StudyMain.run(List.of(arguments), elsewhere, new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String complained() {
        return err.toString(StandardCharsets.UTF_8);
    }

    void assertRefused(String sentence, String... arguments) {
        assertThat(of(arguments)).isEqualTo(2);
        assertThat(complained()).contains(sentence).hasLineCount(1);
        assertThat(printed()).isEmpty();
    }
}
