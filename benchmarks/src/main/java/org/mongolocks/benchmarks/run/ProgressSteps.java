package org.mongolocks.benchmarks.run;

import java.time.Duration;

/**
 * The progress of a run for its user: the current benchmark and the number of all, the current step, and the remaining
 * time, which is estimated again when a benchmark begins.
 */
public final class ProgressSteps {
    private final Progress progress;
    private final int benchmarks;
    private int number;
    private String title = "";
    private long shareEndNanos;
    private Duration rest = Duration.ZERO;

    ProgressSteps(Progress progress, int benchmarks) {
        this.progress = progress;
        this.benchmarks = benchmarks;
    }

    /**
     * Begins a benchmark.
     *
     * @param share its time
     * @param after the time of all later benchmarks
     */
    void begin(Benchmark benchmark, Duration share, Duration after) {
        number++;
        title = benchmark.id() + " " + benchmark.title();
        shareEndNanos = System.nanoTime() + share.toNanos();
        rest = after;
        tell("");
    }

    void begin(String what) {
        tell(": " + what);
    }

    private void tell(String what) {
        Duration own = Duration.ofNanos(shareEndNanos - System.nanoTime());
        progress.begins(number, benchmarks, title + what + ", " + left(own.isNegative() ? rest : rest.plus(own)));
    }

    private static String left(Duration left) {
        if (left.toMinutes() > 1) {
            return "about " + left.toMinutes() + " min left";
        }
        return left.toSeconds() > 0 ? "about " + left.toSeconds() + " s left" : "longer than planned";
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
