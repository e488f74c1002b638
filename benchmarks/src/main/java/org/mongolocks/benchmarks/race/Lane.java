package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.mongolocks.benchmarks.measure.Block;
import org.mongolocks.benchmarks.measure.Block.Operation;
import org.mongolocks.benchmarks.result.Subject;

/** A measured operation, with its samples so far. */
public final class Lane implements AutoCloseable {
    private final Subject subject;
    private final Crew crew;
    private final int batch;
    private final Optional<Lane> floor;
    private final Histogram nanos = new Histogram(Block.SIGNIFICANT_DIGITS);

    private Lane(Subject subject, List<Operation> crew, int batch, Optional<Lane> floor) {
        this.subject = subject;
        this.crew = new Crew(crew);
        this.batch = batch;
        this.floor = floor;
    }

    /** Creates an operation without a baseline. */
    public static Lane of(Subject subject, Operation operation) {
        return new Lane(subject, List.of(operation), 1, Optional.empty());
    }

    /** Creates an operation that several threads execute. */
    static Lane of(Subject subject, List<Operation> crew) {
        return new Lane(subject, crew, 1, Optional.empty());
    }

    /** Creates an operation that is timed in batches, because a single execution is too short to measure. */
    static Lane ofBatch(Subject subject, Operation operation, int batch) {
        Operation stretch = () -> {
            for (int done = 0; done < batch; done++) {
                operation.run();
            }
        };
        return new Lane(subject, List.of(stretch), batch, Optional.empty());
    }

    /** Returns a copy with a baseline, to be measured in alternation, and without samples. */
    public Lane over(Lane bound) {
        return new Lane(subject, crew.operations(), batch, Optional.of(bound));
    }

    Subject subject() {
        return subject;
    }

    Optional<Lane> floor() {
        return floor;
    }

    /** Returns the durations of all measured repetitions in nanoseconds; for a batch, the mean of its operations. */
    Histogram nanos() {
        return nanos;
    }

    void warmUp(Duration time) throws InterruptedException {
        crew.run(time);
    }

    Turn turn(Duration time, CostMeter meter) throws InterruptedException {
        crew.reset();
        meter.start();
        long started = System.nanoTime();
        crew.run(time);
        double elapsed = System.nanoTime() - started;
        Cost cost = meter.stop();
        return turn(crew.together(), elapsed, cost);
    }

    private Turn turn(Histogram stretches, double elapsedNanos, Cost cost) {
        keep(stretches);
        double operations = (double) stretches.getTotalCount() * batch;
        return new Turn(
                (double) stretches.getValueAtPercentile(50) / batch,
                1e9 * operations / elapsedNanos,
                cost.cpuNanos() / operations,
                cost.bytes() / operations);
    }

    private void keep(Histogram stretches) {
        stretches
                .recordedValues()
                .forEach(step -> nanos.recordValueWithCount(
                        step.getValueIteratedTo() / batch, step.getCountAtValueIteratedTo()));
    }

    @Override
    public void close() {
        crew.close();
    }
}
