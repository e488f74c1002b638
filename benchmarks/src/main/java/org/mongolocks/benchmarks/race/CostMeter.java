package org.mongolocks.benchmarks.race;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.Map;

/**
 * Adds up what all threads of this JVM use, but for those of an embedded server: the client's own, the driver's, and those
 * that replies arrive on. The collector and the compiler are no threads to the JVM, and are not in it.
 */
final class CostMeter {
    private static final String SERVER = "embedded-mongo";
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Map<Long, Boolean> isClient = new HashMap<>();
    private Reading begin = Reading.now();

    /** Is what all threads had used at one moment. The bytes are read last: nothing is allocated after that. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Reading(long[] ids, long[] cpuNanos, long[] bytes) {
        static Reading now() {
            long[] ids = THREADS.getAllThreadIds();
            long[] cpuNanos = THREADS.getThreadCpuTime(ids);
            return new Reading(ids, cpuNanos, THREADS.getThreadAllocatedBytes(ids));
        }
    }

    void start() {
        begin = Reading.now();
    }

    /** Tells what was used since the start. A thread that has ended since is not in it. */
    Cost stop() {
        Reading end = Reading.now();
        Map<Long, Integer> places = new HashMap<>();
        for (int place = 0; place < begin.ids.length; place++) {
            places.put(begin.ids[place], place);
        }
        Cost sum = new Cost(0, 0);
        for (int place = 0; place < end.ids.length; place++) {
            if (isClient.computeIfAbsent(end.ids[place], CostMeter::isClient)) {
                sum = sum.plus(used(end, place, places.getOrDefault(end.ids[place], -1)));
            }
        }
        return sum;
    }

    /** A thread that began meanwhile has used all that it has used. */
    private Cost used(Reading end, int place, int before) {
        long cpuNanos = end.cpuNanos[place] - (before < 0 ? 0 : begin.cpuNanos[before]);
        long bytes = end.bytes[place] - (before < 0 ? 0 : begin.bytes[before]);
        return new Cost(Math.max(0, cpuNanos), Math.max(0, bytes));
    }

    private static boolean isClient(long id) {
        ThreadInfo thread = THREADS.getThreadInfo(id);
        return thread != null && !thread.getThreadName().startsWith(SERVER);
    }
}
