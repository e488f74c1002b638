package org.mongolocks.benchmarks.report;

import java.io.PrintStream;
import org.mongolocks.benchmarks.run.ProgressSteps.Progress;

/**
 * The console: the results go to one stream, progress and errors to the other.
 *
 * @param styled whether the result may be styled
 * @param live whether a line of progress may be overwritten by the next
 */
public record Console(PrintStream out, PrintStream err, boolean styled, boolean live) {
    /**
     * A JVM cannot check its output streams separately for a terminal; the start script passes the answer as a
     * property.
     */
    static final String OUT_IS_TERMINAL = "mongolocks.out.terminal";

    static final String ERR_IS_TERMINAL = "mongolocks.err.terminal";

    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    /** Returns the console of this process. The environment variable {@code NO_COLOR} disables styles. */
    public static Console system() {
        String noColor = System.getenv("NO_COLOR");
        boolean styled = Boolean.getBoolean(OUT_IS_TERMINAL) && (noColor == null || noColor.isEmpty());
        return new Console(System.out, System.err, styled, Boolean.getBoolean(ERR_IS_TERMINAL));
    }

    /** Returns the text in bold if styles are enabled. */
    public String bold(String text) {
        return styled ? BOLD + text + PLAIN : text;
    }

    /** A progress display: one line that is overwritten on a terminal, one line per step elsewhere. */
    public static final class ProgressLine implements Progress, AutoCloseable {
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
}
