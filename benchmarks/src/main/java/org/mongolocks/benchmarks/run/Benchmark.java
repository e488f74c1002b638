package org.mongolocks.benchmarks.run;

import java.time.Duration;

/** A benchmark: measures one property of all locks under test. A run executes a list of benchmarks. */
public interface Benchmark {
    /** Returns the id for {@code --only}, such as {@code B1}. */
    String id();

    /** Returns a short description of the measurement. */
    String title();

    /** Returns the share of the run time, relative to the other benchmarks. */
    int weight();

    /**
     * Measures, and records the results in the session. Skips a contender that was excluded from the run, and tries a
     * contender again that failed only in an earlier benchmark. Each part runs at least once, even if that exceeds the
     * time.
     *
     * @param context the run
     * @param time the total time, warm-up included
     * @throws com.mongodb.MongoException if the server fails in a way that is not attributable to a contender
     */
    void run(BenchmarkContext context, Duration time) throws InterruptedException;
}
