package org.mongolocks.benchmarks.console;

import java.io.PrintStream;

/**
 * Is where the program talks to people: the result goes to one stream, progress and complaints go to the other.
 *
 * @param out where the result goes
 * @param err where progress and complaints go
 * @param styled whether the result may be styled
 * @param live whether a line of progress may be overwritten by the next
 */
public record Console(PrintStream out, PrintStream err, boolean styled, boolean live) {
    /** Java cannot tell one stream of a process from another; the script that starts the program can. */
    static final String OUT_IS_TERMINAL = "mongolocks.out.terminal";

    static final String ERR_IS_TERMINAL = "mongolocks.err.terminal";

    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    /** Gives the console of this process. The environment variable {@code NO_COLOR} switches styles off. */
    public static Console system() {
        String noColor = System.getenv("NO_COLOR");
        boolean styled = Boolean.getBoolean(OUT_IS_TERMINAL) && (noColor == null || noColor.isEmpty());
        return new Console(System.out, System.err, styled, Boolean.getBoolean(ERR_IS_TERMINAL));
    }

    /** Makes a text bold where styles are wanted. */
    public String bold(String text) {
        return styled ? BOLD + text + PLAIN : text;
    }
}
