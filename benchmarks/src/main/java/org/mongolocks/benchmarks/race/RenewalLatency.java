package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.BenchmarkContext;

/** The benchmark of renewal: of single renewals, and of keep-alive for idle locks. */
public final class RenewalLatency implements Benchmark {
    private static final String ID = "B4";
    private static final int WEIGHT = 12;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "renew, and what a lock costs that is merely held";
    }

    @Override
    public int weight() {
        return WEIGHT;
    }

    @Override
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        Duration half = time.dividedBy(2);
        new PairedBenchmark(
                        ID, title(), WEIGHT, (field, strategy) -> List.of(PairedBenchmarks.renewed(field, strategy)))
                .run(session, half);
        new KeepAliveBenchmark(session, ID).run(half);
    }
}
