package org.mongolocks.benchmarks.report;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A console whose output is captured. */
public final class CapturedConsole {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** Returns a console whose streams are not a terminal. */
    public Console plain() {
        return console(false);
    }

    /** Returns a console on a terminal. */
    public Console terminal() {
        return console(true);
    }

    public String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private Console console(boolean terminal) {
        return new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminal,
                terminal);
    }
}
