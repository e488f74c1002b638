package org.mongolocks.benchmarks.sampling;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.Map;

/**
 * A meter for the processor time and allocation of all threads of this JVM, except those of an embedded server: it
 * includes the threads of the client and of the driver. Garbage collection and compilation are not included, because
 * their threads are not visible to the JVM's thread statistics.
 */
public final class CostMeter {
    private static final String SERVER = "embedded-mongo";
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Map<Long, Boolean> isClient = new HashMap<>();
    private Reading begin = Reading.now();

    /**
     * The totals of all threads at one moment. The allocated bytes are read last, because nothing is allocated after
     * that.
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Reading(long[] ids, long[] cpuNanos, long[] bytes) {
        static Reading now() {
            long[] ids = THREADS.getAllThreadIds();
            long[] cpuNanos = THREADS.getThreadCpuTime(ids);
            return new Reading(ids, cpuNanos, THREADS.getThreadAllocatedBytes(ids));
        }
    }

    public void start() {
        begin = Reading.now();
    }

    /** Returns the costs since the start, without those of threads that have ended. */
    public ClientCost stop() {
        Reading end = Reading.now();
        Map<Long, Integer> places = new HashMap<>();
        for (int place = 0; place < begin.ids.length; place++) {
            places.put(begin.ids[place], place);
        }
        ClientCost sum = new ClientCost(0, 0);
        for (int place = 0; place < end.ids.length; place++) {
            if (isClient.computeIfAbsent(end.ids[place], CostMeter::isClient)) {
                sum = sum.plus(used(end, place, places.getOrDefault(end.ids[place], -1)));
            }
        }
        return sum;
    }

    /** Returns the costs of a thread. For a thread that started after the meter, these are its totals. */
    private ClientCost used(Reading end, int place, int before) {
        long cpuNanos = end.cpuNanos[place] - (before < 0 ? 0 : begin.cpuNanos[before]);
        long bytes = end.bytes[place] - (before < 0 ? 0 : begin.bytes[before]);
        return new ClientCost(Math.max(0, cpuNanos), Math.max(0, bytes));
    }

    private static boolean isClient(long id) {
        ThreadInfo thread = THREADS.getThreadInfo(id);
        return thread != null && !thread.getThreadName().startsWith(SERVER);
    }

    /**
     * The costs of operations for the client.
     *
     * @param cpuNanos the processor time of its threads, in nanoseconds
     * @param bytes the memory allocated by its threads, in bytes
     */
    public record ClientCost(long cpuNanos, long bytes) {
        ClientCost plus(ClientCost other) {
            return new ClientCost(cpuNanos + other.cpuNanos, bytes + other.bytes);
        }
    }
}
