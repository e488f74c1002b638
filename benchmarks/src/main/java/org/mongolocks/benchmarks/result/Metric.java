package org.mongolocks.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * A metric: the meaning of a number.
 *
 * @param name the name in JSON
 * @param unit the unit, as printed
 */
public record Metric(@JsonProperty("metric") String name, String unit) {
    /** The duration of an operation: the median, with percentiles. */
    public static final Metric LATENCY = new Metric("latency", "ns");
    /** The number of operations per second. */
    public static final Metric THROUGHPUT = new Metric("throughput", "1/s");
    /** The number of commands per grant, including those of waiting and releasing. */
    public static final Metric COMMANDS_PER_GRANT = new Metric("commandsPerGrant", "commands");
    /** The bytes allocated by the client per operation. */
    public static final Metric ALLOCATION = new Metric("allocation", "B/op");
    /** The processor time used by the client per operation. */
    public static final Metric CPU = new Metric("cpu", "ns/op");
    /** Jain's index of the grants to the threads that share a lock. */
    public static final Metric JAIN = new Metric("jain", "ratio");
    /** The longest time from a request to its grant. */
    public static final Metric MAX_WAIT = new Metric("longestWait", "ns");
    /** The time from the end of a holder to the next grant. */
    public static final Metric RECOVERY = new Metric("recovery", "ns");
    /** The bytes of commands and replies per grant. */
    public static final Metric BYTES = new Metric("bytes", "B/grant");
    /** The number of oplog entries per grant. */
    public static final Metric OPLOG_ENTRIES = new Metric("oplogEntries", "entries/grant");

    public Metric {
        Objects.requireNonNull(name, "The name is null");
        Objects.requireNonNull(unit, "The unit is null");
    }

    /** Returns whether figures depend on other load on the machine; counts do not. */
    public boolean isTimed() {
        return unit.startsWith("ns") || unit.equals("1/s");
    }
}
