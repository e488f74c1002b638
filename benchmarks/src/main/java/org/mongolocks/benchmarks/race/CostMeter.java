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
    private Map<Long, Cost> before = Map.of();

    void start() {
        before = now();
    }

    /** Tells what was used since the start. A thread that has ended since is not in it. */
    Cost stop() {
        long cpu = 0;
        long bytes = 0;
        for (Map.Entry<Long, Cost> thread : now().entrySet()) {
            Cost used = before.getOrDefault(thread.getKey(), new Cost(0, 0));
            cpu += Math.max(0, thread.getValue().cpuNanos() - used.cpuNanos());
            bytes += Math.max(0, thread.getValue().bytes() - used.bytes());
        }
        return new Cost(cpu, bytes);
    }

    private Map<Long, Cost> now() {
        long[] ids = THREADS.getAllThreadIds();
        long[] cpu = THREADS.getThreadCpuTime(ids);
        long[] bytes = THREADS.getThreadAllocatedBytes(ids);
        Map<Long, Cost> costs = new HashMap<>();
        for (int thread = 0; thread < ids.length; thread++) {
            if (isClient.computeIfAbsent(ids[thread], CostMeter::isClient)) {
                costs.put(ids[thread], new Cost(cpu[thread], bytes[thread]));
            }
        }
        return costs;
    }

    private static boolean isClient(long id) {
        ThreadInfo thread = THREADS.getThreadInfo(id);
        return thread != null && !thread.getThreadName().startsWith(SERVER);
    }
}
