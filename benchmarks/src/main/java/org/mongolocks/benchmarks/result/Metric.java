package org.mongolocks.benchmarks.result;

/**
 * Is what a number means.
 *
 * @param name the name for programs
 * @param unit the unit, as it is written
 */
public record Metric(String name, String unit) {
    /** How long an operation took: the median, with percentiles. */
    public static final Metric LATENCY = new Metric("latency", "ns");
    /** How often something was done. */
    public static final Metric THROUGHPUT = new Metric("throughput", "1/s");
    /** Commands sent for each grant, waiting and releasing included. */
    public static final Metric COMMANDS_PER_GRANT = new Metric("commandsPerGrant", "commands");
    /** Bytes that the client allocated for each operation. */
    public static final Metric ALLOCATION = new Metric("allocation", "B/op");
    /** Processor time that the client used for each operation. */
    public static final Metric CPU = new Metric("cpu", "ns/op");
    /** Jain's index of the grants of those who shared a lock. */
    public static final Metric JAIN = new Metric("jain", "ratio");
    /** Longest time from asking to the grant. */
    public static final Metric LONGEST_WAIT = new Metric("longestWait", "ns");
    /** From the end of a holder to the next grant. */
    public static final Metric RECOVERY = new Metric("recovery", "ns");
    /** Bytes of commands and replies for each grant. */
    public static final Metric BYTES = new Metric("bytes", "B/grant");
    /** Entries in the oplog for each grant. */
    public static final Metric OPLOG_ENTRIES = new Metric("oplogEntries", "entries/grant");

    /** Tells whether figures depend on what else the machine did; counts do not. */
    public boolean isTimed() {
        return unit.startsWith("ns") || unit.equals("1/s");
    }
}
