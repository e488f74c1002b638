package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.MeasuredOperation.Sample;
import org.mongolocks.benchmarks.sampling.Rounds.Round;

/**
 * Rounds in which operations alternate with their baselines: in each round an operation is measured for a short time
 * between two samples of its baseline, and compared with their mean, so that a slower machine affects all of them.
 * Neighbours share a sample of their baseline. All figures are measured in one JVM; strategies and baselines of a driver share one
 * pool, and other libraries have their own.
 */
public final class AlternatingRounds {
    private static final int WARM_UP_SHARE = 3;
    private static final int ROUNDS = 12;
    private static final Duration MIN_TURN = Duration.ofMillis(5);
    /** So short that more time makes more rounds, by which intervals become narrower. */
    private static final Duration MAX_TURN = Duration.ofMillis(50);

    private final BenchmarkContext context;
    private final List<MeasuredOperation> operations;
    private final RoundFigures figures = new RoundFigures();
    private final CostMeter meter = new CostMeter();
    private Optional<Turn> newest = Optional.empty();

    /** The sample of an operation in a turn. */
    private record Turn(MeasuredOperation operation, Sample sample) {}

    public AlternatingRounds(BenchmarkContext context, List<MeasuredOperation> operations) {
        this.context = context;
        this.operations = List.copyOf(operations);
    }

    /** Runs a warm-up and then the rounds, and records what they measured. A contender that fails is excluded. */
    public void run(Duration time) throws InterruptedException {
        Duration possible = context.left().compareTo(time) < 0 ? context.left() : time;
        long endNanos = System.nanoTime() + possible.toNanos();
        Set<MeasuredOperation> all = new LinkedHashSet<>();
        operations.forEach(operation -> {
            operation.baseline().ifPresent(all::add);
            all.add(operation);
        });
        context.step("warm-up");
        new WarmUp(context, all).run(possible.dividedBy(WARM_UP_SHARE));
        Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
        int samples = 2 * operations.size();
        Rounds rounds = Rounds.within(context, left, samples, sampleTime(left, samples));
        rounds.each(round -> {
            newest = Optional.empty();
            for (MeasuredOperation operation : round.inOrder(operations)) {
                measure(operation, round, rounds.sampleTime());
            }
        });
        record();
    }

    private static Duration sampleTime(Duration time, int samples) {
        Duration share = time.dividedBy((long) ROUNDS * Math.max(1, samples));
        return Stream.of(share, MIN_TURN)
                .max(Duration::compareTo)
                .filter(turn -> turn.compareTo(MAX_TURN) < 0)
                .orElse(MAX_TURN);
    }

    private void measure(MeasuredOperation operation, Round round, Duration time) throws InterruptedException {
        if (!context.isIn(operation.subject().contender())) {
            return;
        }
        Optional<MeasuredOperation> baseline = operation.baseline();
        Optional<Sample> before = baseline.isEmpty()
                ? Optional.empty()
                : newest.filter(turn -> turn.operation() == baseline.get()).isPresent()
                        ? newest.map(Turn::sample)
                        : sample(baseline.get(), round, time);
        Optional<Sample> measured = sample(operation, round, time);
        Optional<Sample> after = baseline.isEmpty() ? Optional.empty() : sample(baseline.get(), round, time);
        if (before.isPresent() && measured.isPresent() && after.isPresent()) {
            compare(operation.subject(), round, measured.get(), before.get(), after.get());
        }
    }

    private Optional<Sample> sample(MeasuredOperation operation, Round round, Duration time)
            throws InterruptedException {
        newest = Optional.empty();
        MeasurementKey subject = operation.subject();
        context.attempt(subject.contender(), () -> {
            Sample sample = operation.sample(time, meter);
            newest = Optional.of(new Turn(operation, sample));
            long samples = sample.nanos().getTotalCount();
            figures.add(round, subject, sample.nanos());
            figures.add(round, subject, Metric.CPU, sample.cpuNanos(), samples);
            figures.add(round, subject, Metric.ALLOCATION, sample.bytes(), samples);
        });
        return newest.map(Turn::sample);
    }

    private void compare(MeasurementKey subject, Round round, Sample measured, Sample before, Sample after) {
        figures.compare(
                round, subject, Metric.LATENCY, measured.p50Nanos(), (before.p50Nanos() + after.p50Nanos()) / 2);
        figures.compare(round, subject, Metric.CPU, measured.cpuNanos(), (before.cpuNanos() + after.cpuNanos()) / 2);
        figures.compare(round, subject, Metric.ALLOCATION, measured.bytes(), (before.bytes() + after.bytes()) / 2);
    }

    private void record() {
        figures.record(
                context,
                Estimate::median,
                (subject, metric) -> operations.stream()
                        .filter(operation -> operation.subject().equals(subject))
                        .flatMap(operation -> operation.baseline().stream())
                        .map(baseline -> baseline.subject().contender())
                        .findFirst());
        figures.compare(context, Metric.LATENCY);
        figures.compare(context, Metric.CPU);
        figures.drift(operations.stream()
                        .flatMap(operation -> operation.baseline().stream())
                        .map(MeasuredOperation::subject)
                        .toList())
                .ifPresent(context.results()::drifted);
    }
}
