package org.mongolocks.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** One of the two lock clients with its driver. */
public enum Client {
    /** The synchronous client. */
    SYNC,
    /** The reactive client. The measuring thread waits for each reply. */
    REACTIVE;

    /** Returns the name in JSON. */
    @JsonValue
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
