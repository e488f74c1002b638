package org.mongolocks.benchmarks.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.MeasurementStatus.Failure;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.benchmarks.result.PairedDifference;
import org.mongolocks.benchmarks.result.PairedDifference.Series;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;

/** The collector of the results of a run, benchmark by benchmark. Used by one thread. */
public final class ResultCollector {
    private final Map<String, LockUnderTest> contenders = new LinkedHashMap<>();
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<Series> series = new ArrayList<>();
    private final List<BaselineDrift> noise = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private String benchmark = "";

    /** Starts a benchmark. A contender that failed in an earlier one takes part again. */
    void begin(String id) {
        benchmark = id;
    }

    /** Returns the id of the current benchmark. */
    String benchmark() {
        return benchmark;
    }

    /** Adds a contender unless it is present. */
    public void enter(LockUnderTest contender) {
        contenders.putIfAbsent(contender.id(), contender);
    }

    /** Adds a measurement of a contender that is present. */
    public void record(Measurement measurement) {
        requireListed(measurement.subject().contender());
        measurements.add(measurement);
    }

    /** Adds the values of a contender by round, for the comparison of strategies. */
    public void compare(Series values) {
        requireListed(values.subject().contender());
        series.add(values);
    }

    /** Adds a baseline that drifted too far. */
    public void drifted(BaselineDrift drift) {
        noise.add(drift);
    }

    /** Adds a remark for the reader, such as why something could not be measured. */
    public void remark(String remark) {
        remarks.add(remark);
    }

    /** Sets the verdict on a contender for the whole run. A void contender stays void. */
    void judge(String id, MeasurementStatus verdict) {
        LockUnderTest contender = requireListed(id);
        if (contender.verdict().status() != Status.VOID) {
            contenders.put(id, contender.with(verdict.with(contender.verdict().failures())));
        }
    }

    /** Excludes a contender from the current benchmark. */
    void fail(String id, String reason) {
        LockUnderTest contender = requireListed(id);
        Failure failure = new Failure(benchmark, reason);
        List<Failure> all = Stream.concat(contender.verdict().failures().stream(), Stream.of(failure))
                .toList();
        contenders.put(id, contender.with(contender.verdict().with(all)));
    }

    /** Returns whether a contender takes part in the current benchmark. */
    boolean isIn(String id) {
        MeasurementStatus verdict = requireListed(id).verdict();
        return verdict.status() == Status.MEASURED && !verdict.hasFailedIn(benchmark);
    }

    /**
     * Returns all results except measurements of a contender in a benchmark in which it failed. Measurements of a void
     * contender stay, for diagnosis.
     */
    public RunResults findings() {
        List<Measurement> sound = measurements.stream()
                .filter(measurement -> counts(measurement.subject()))
                .toList();
        List<LockUnderTest> judged = contenders.values().stream()
                .map(contender -> judged(contender, sound))
                .toList();
        return new RunResults(sound, differences(), judged, noise, remarks);
    }

    /**
     * Compares the strategies that neither failed in the benchmark nor violated mutual exclusion with each other and with
     * other libraries.
     */
    private List<PairedDifference> differences() {
        return PairedDifference.among(series.stream()
                        .filter(values -> counts(values.subject()))
                        .filter(values ->
                                isComparable(requireListed(values.subject().contender())))
                        .toList())
                .stream()
                .filter(pair -> isStrategy(pair.first().contender()) || isStrategy(pair.second()))
                .toList();
    }

    private static boolean isComparable(LockUnderTest contender) {
        return contender.kind() != Kind.BASELINE && contender.verdict().status() == Status.MEASURED;
    }

    private boolean isStrategy(String id) {
        return requireListed(id).kind() == Kind.STRATEGY;
    }

    private boolean counts(MeasurementKey subject) {
        return !requireListed(subject.contender()).verdict().hasFailedIn(subject.benchmark());
    }

    /** Marks a contender as skipped if it failed and has no measurement. */
    private static LockUnderTest judged(LockUnderTest contender, List<Measurement> sound) {
        MeasurementStatus verdict = contender.verdict();
        boolean hasNothing = sound.stream()
                .noneMatch(measurement -> measurement.subject().contender().equals(contender.id()));
        return verdict.status() == Status.MEASURED && !verdict.failures().isEmpty() && hasNothing
                ? contender.with(MeasurementStatus.skipped(
                                "failed: " + verdict.failures().get(0).reason())
                        .with(verdict.failures()))
                : contender;
    }

    private LockUnderTest requireListed(String id) {
        LockUnderTest contender = contenders.get(id);
        if (contender == null) {
            throw new IllegalStateException("'" + id + "' was not entered");
        }
        return contender;
    }
}
