package org.mongolocks.benchmarks.measure;

import java.time.Duration;

/** Measures one thing of all contenders. The programme of a run is a list of them. */
public interface Benchmark {
    /** Gives the name by which it is chosen, such as {@code B1}. */
    String id();

    /** Says in a few words what is measured, for people. */
    String title();

    /** Gives its share of the time of a run, compared with those of the others. */
    int weight();

    /**
     * Measures, and records what it found in the session. It steps over a contender that has dropped out, and tries one again
     * that failed in an earlier benchmark. Each part is
     * done at least once, even if that takes longer than the time.
     *
     * @param session the run
     * @param time for all of it, warm-up included
     * @throws com.mongodb.MongoException if the server fails where no contender can be blamed
     */
    void run(Session session, Duration time) throws InterruptedException;
}
