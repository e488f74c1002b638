package org.mongolocks.benchmarks.sampling;

import static java.util.Comparator.comparingDouble;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.Rounds.Round;

/**
 * An interleaved run of operations: each is measured for a short time between two samples of its baseline, in every
 * round until the time is over. All compared figures are therefore measured close together, in one JVM and through one
 * pool.
 */
public final class InterleavedRunner {
    private static final int WARM_UP_SHARE = 3;
    private static final int ROUNDS = 12;
    private static final Duration MIN_TURN = Duration.ofMillis(5);
    private static final Duration MAX_TURN = Duration.ofMillis(50);

    /** The drift of a baseline above which the machine or the server was probably busy with other work. */
    static final double NOISY = 0.10;

    private final BenchmarkContext context;
    private final List<MeasuredOperation> order;
    private final Set<MeasuredOperation> operations;
    private final InterleavedSamples samples = new InterleavedSamples();
    private final CostMeter meter = new CostMeter();

    public InterleavedRunner(BenchmarkContext context, List<MeasuredOperation> operations) {
        this.context = context;
        this.order = InterleavedSamples.order(operations);
        this.operations = new LinkedHashSet<>(order);
    }

    /** Runs a warm-up and then the rounds. A contender that fails is excluded. */
    public InterleavedSamples run(Duration time) throws InterruptedException {
        Duration possible = context.left().compareTo(time) < 0 ? context.left() : time;
        long endNanos = System.nanoTime() + possible.toNanos();
        context.step("warm-up");
        new WarmUp(context, operations).run(possible.dividedBy(WARM_UP_SHARE));
        context.step("rounds");
        Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
        Duration sampleTime = sampleTime(left, order.size());
        int number = 0;
        do {
            number++;
            round(new Round(number, true), sampleTime);
        } while (isOpen() && System.nanoTime() < endNanos);
        drift(operations, samples).ifPresent(context::drifted);
        return samples;
    }

    /** Returns the operations, baselines included, without duplicates. */
    public Set<MeasuredOperation> operations() {
        return operations;
    }

    /**
     * Returns the time of a sample, within bounds. The longest is so short that more time makes more rounds, by which
     * intervals become narrower.
     *
     * @param time the time of all rounds
     * @param samples the number of samples in a round; zero if all contenders have been excluded
     */
    static Duration sampleTime(Duration time, int samples) {
        Duration share = time.dividedBy((long) ROUNDS * Math.max(1, samples));
        Duration bounded = share.compareTo(MAX_TURN) > 0 ? MAX_TURN : share;
        return bounded.compareTo(MIN_TURN) < 0 ? MIN_TURN : bounded;
    }

    /** Returns whether any operation with a baseline is left. */
    private boolean isOpen() {
        return operations.stream()
                .filter(operation -> operation.baseline().isPresent())
                .anyMatch(operation -> context.isIn(operation.subject().contender()));
    }

    private void round(Round round, Duration sampleTime) throws InterruptedException {
        List<InterleavedSamples.Entry> entries = new ArrayList<>();
        for (MeasuredOperation operation : round.inOrder(order)) {
            context.attempt(
                    operation.subject().contender(),
                    () -> entries.add(new InterleavedSamples.Entry(operation, operation.sample(sampleTime, meter))));
        }
        samples.add(entries);
    }

    /** Returns the baseline with the highest drift, if that is too high for small differences to be significant. */
    static Optional<BaselineDrift> drift(Collection<MeasuredOperation> operations, InterleavedSamples samples) {
        return operations.stream()
                .flatMap(operation -> operation.baseline().stream())
                .distinct()
                .map(baseline -> new BaselineDrift(
                        baseline.subject().benchmark(),
                        baseline.subject().contender(),
                        baseline.subject().client(),
                        samples.drift(baseline)))
                .max(comparingDouble(BaselineDrift::value))
                .filter(drift -> drift.value() > NOISY);
    }
}
