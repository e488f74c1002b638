package org.mongolocks.benchmarks.result;

import java.util.Locale;

/** Is one of the two lock clients, and the driver under it. */
public enum Client {
    /** The synchronous client. */
    SYNC,
    /** The reactive client. The measuring thread waits for each reply. */
    REACTIVE;

    /** Gives the name for programs. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
