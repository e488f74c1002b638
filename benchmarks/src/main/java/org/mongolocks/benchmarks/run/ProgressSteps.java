package org.mongolocks.benchmarks.run;

import java.time.Duration;

/**
 * The progress of a run for its user: the current benchmark and the number of all, the current step, and the remaining
 * time.
 */
public final class ProgressSteps {
    private final Progress progress;
    private final int benchmarks;
    private final long endNanos;
    private int number;
    private String title = "";

    ProgressSteps(Progress progress, int benchmarks, Duration time) {
        this.progress = progress;
        this.benchmarks = benchmarks;
        this.endNanos = System.nanoTime() + time.toNanos();
    }

    void begin(Benchmark benchmark) {
        number++;
        title = benchmark.id() + " " + benchmark.title();
        tell("");
    }

    void begin(String what) {
        tell(": " + what);
    }

    private void tell(String what) {
        long left = Math.max(0, endNanos - System.nanoTime());
        progress.begins(number, benchmarks, title + what + ", " + left(Duration.ofNanos(left)) + " left");
    }

    private static String left(Duration left) {
        return left.toMinutes() > 0 ? left.toMinutes() + " min" : left.toSeconds() + " s";
    }

    /** A listener for the progress of a comparison. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Notifies that the next step begins.
         *
         * @param step the number of the step, from 1
         * @param steps the number of steps
         * @param what a description of the step
         */
        void begins(int step, int steps, String what);
    }
}
