package org.mongolocks.benchmarks.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Drift;
import org.mongolocks.benchmarks.result.Failure;
import org.mongolocks.benchmarks.result.Findings;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Verdict;
import org.mongolocks.benchmarks.result.Verdict.Status;

/** The collector of the results of a run, benchmark by benchmark. Used by one thread. */
final class Ledger {
    private final Map<String, Contender> contenders = new LinkedHashMap<>();
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<Drift> noise = new ArrayList<>();
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
    void enter(Contender contender) {
        contenders.putIfAbsent(contender.id(), contender);
    }

    /** Adds a measurement of a contender that is present. */
    void record(Measurement measurement) {
        requireListed(measurement.subject().contender());
        measurements.add(measurement);
    }

    void drifted(Drift drift) {
        noise.add(drift);
    }

    void remark(String remark) {
        remarks.add(remark);
    }

    /** Sets the verdict on a contender for the whole run. A void contender stays void. */
    void judge(String id, Verdict verdict) {
        Contender contender = requireListed(id);
        if (contender.verdict().status() != Status.VOID) {
            contenders.put(id, contender.with(verdict.with(contender.verdict().failures())));
        }
    }

    /** Excludes a contender from the current benchmark. */
    void fail(String id, String reason) {
        Contender contender = requireListed(id);
        Failure failure = new Failure(benchmark, reason);
        List<Failure> all = Stream.concat(contender.verdict().failures().stream(), Stream.of(failure))
                .toList();
        contenders.put(id, contender.with(contender.verdict().with(all)));
    }

    /** Returns whether a contender takes part in the current benchmark. */
    boolean isIn(String id) {
        return requireListed(id).verdict().status() == Status.MEASURED && !hasFailed(id);
    }

    /** Returns whether a contender failed in the current benchmark. */
    boolean hasFailed(String id) {
        return requireListed(id).verdict().hasFailedIn(benchmark);
    }

    /**
     * Returns all results except measurements of a contender in a benchmark in which it failed. Measurements of a void
     * contender stay, for diagnosis.
     */
    Findings findings() {
        List<Measurement> sound = measurements.stream().filter(this::counts).toList();
        List<Contender> judged = contenders.values().stream()
                .map(contender -> judged(contender, sound))
                .toList();
        return new Findings(sound, judged, noise, remarks);
    }

    private boolean counts(Measurement measurement) {
        return !requireListed(measurement.subject().contender())
                .verdict()
                .hasFailedIn(measurement.subject().benchmark());
    }

    /** Marks a contender as skipped if it failed and has no measurement. */
    private static Contender judged(Contender contender, List<Measurement> sound) {
        Verdict verdict = contender.verdict();
        boolean hasNothing = sound.stream()
                .noneMatch(measurement -> measurement.subject().contender().equals(contender.id()));
        return verdict.status() == Status.MEASURED && !verdict.failures().isEmpty() && hasNothing
                ? contender.with(
                        Verdict.skipped("failed: " + verdict.failures().get(0).reason())
                                .with(verdict.failures()))
                : contender;
    }

    private Contender requireListed(String id) {
        Contender contender = contenders.get(id);
        if (contender == null) {
            throw new IllegalStateException("'" + id + "' was not entered");
        }
        return contender;
    }
}
