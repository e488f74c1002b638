package org.mongolocks.benchmarks.run;

import java.time.Duration;

/**
 * A benchmark: measures one property of all locks under test. A run executes a list of benchmarks.
 *
 * @param id the id for {@code --only}, such as {@code B1}
 * @param title a short description of the measurement
 * @param weight the share of the run time, relative to the other benchmarks
 * @param scenario the measurement
 */
public record Benchmark(String id, String title, int weight, Scenario scenario) {
    /** The measurement of a benchmark. */
    @FunctionalInterface
    public interface Scenario {
        /**
         * Measures, and records the results in the context. Skips a contender that was excluded from the run, and tries
         * a contender again that failed only in an earlier benchmark. Each part runs at least once, even if that exceeds
         * the time.
         *
         * @param context the run
         * @param time the total time, warm-up included
         * @throws com.mongodb.MongoException if the server fails in a way that is not attributable to a contender
         */
        void run(BenchmarkContext context, Duration time) throws InterruptedException;
    }
}
