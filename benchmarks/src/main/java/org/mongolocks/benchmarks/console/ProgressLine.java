package org.mongolocks.benchmarks.console;

import org.mongolocks.benchmarks.measure.Progress;

/** A progress display: one line that is overwritten on a terminal, one line per step elsewhere. */
public final class ProgressLine implements Progress, AutoCloseable {
    private static final String START_OVER = "\r\u001b[K";

    private final Console console;

    public ProgressLine(Console console) {
        this.console = console;
    }

    @Override
    public void begins(int step, int steps, String what) {
        String line = "[%d/%d] %s".formatted(step, steps, what);
        if (console.live()) {
            console.err().print(START_OVER + line);
            console.err().flush();
        } else {
            console.err().println(line);
        }
    }

    /** Clears the line for the output that follows. */
    @Override
    public void close() {
        if (console.live()) {
            console.err().print(START_OVER);
            console.err().flush();
        }
    }
}
