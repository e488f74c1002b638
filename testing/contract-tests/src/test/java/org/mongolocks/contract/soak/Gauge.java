package org.mongolocks.contract.soak;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Periodic readings of heap and threads, and a check whether they grew. Not thread-safe. */
final class Gauge {
    /** How much heap may differ between two readings without being growth. */
    private static final long HEAP_SLACK = 16L << 20;

    private static final int THREAD_SLACK = 15;

    private final List<Reading> readings = new ArrayList<>();

    /**
     * One reading.
     *
     * @param heap the bytes in use after a garbage collection
     * @param threads the live threads
     */
    record Reading(long heap, int threads) {
        long megabytes() {
            return heap >> 20;
        }
    }

    Reading read() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        Reading reading = new Reading(
                runtime.totalMemory() - runtime.freeMemory(),
                ManagementFactory.getThreadMXBean().getThreadCount());
        readings.add(reading);
        return reading;
    }

    /** Compares the first third of the readings with the last. */
    void judge(Findings findings) {
        int third = readings.size() / 3;
        List<Reading> first = readings.subList(0, third);
        List<Reading> last = readings.subList(readings.size() - third, readings.size());
        if (mostHeap(last) > mostHeap(first) + HEAP_SLACK) {
            findings.violated(
                    "the heap grew from " + (mostHeap(first) >> 20) + " to " + (mostHeap(last) >> 20) + " MB");
        }
        if (mostThreads(last) > mostThreads(first) + THREAD_SLACK) {
            findings.violated("the threads grew from " + mostThreads(first) + " to " + mostThreads(last));
        }
    }

    private static long mostHeap(List<Reading> some) {
        return some.stream().mapToLong(Reading::heap).max().orElse(0);
    }

    private static int mostThreads(List<Reading> some) {
        return some.stream().mapToInt(Reading::threads).max().orElse(0);
    }
}
