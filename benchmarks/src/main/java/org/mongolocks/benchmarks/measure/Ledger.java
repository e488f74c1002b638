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

/** Collects what a run finds, benchmark by benchmark. Used by one thread. */
final class Ledger {
    private final Map<String, Contender> contenders = new LinkedHashMap<>();
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<Drift> noise = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private String benchmark = "";

    /** Turns the page: who failed before takes part again. */
    void begin(String id) {
        benchmark = id;
    }

    /** Gives the id of this benchmark. */
    String benchmark() {
        return benchmark;
    }

    /** Lists a contender, unless it is listed. */
    void enter(Contender contender) {
        contenders.putIfAbsent(contender.id(), contender);
    }

    /** Keeps a number of a contender that is listed. */
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

    /** Changes the verdict on a contender for the whole run. Who is void stays void. */
    void judge(String id, Verdict verdict) {
        Contender contender = requireListed(id);
        if (contender.verdict().status() != Status.VOID) {
            contenders.put(id, contender.with(verdict.with(contender.verdict().failures())));
        }
    }

    /** Takes a contender out of this benchmark. */
    void fail(String id, String reason) {
        Contender contender = requireListed(id);
        Failure failure = new Failure(benchmark, reason);
        List<Failure> all = Stream.concat(contender.verdict().failures().stream(), Stream.of(failure))
                .toList();
        contenders.put(id, contender.with(contender.verdict().with(all)));
    }

    /** Tells whether a contender takes part in this benchmark. */
    boolean isIn(String id) {
        return requireListed(id).verdict().status() == Status.MEASURED && !hasFailed(id);
    }

    /** Tells whether a contender failed in this benchmark. */
    boolean hasFailed(String id) {
        return requireListed(id).verdict().hasFailedIn(benchmark);
    }

    /**
     * Gives everything but the numbers of benchmarks in which their contender failed. Those of who is void stay, for
     * whoever wants to know what went wrong.
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

    /** Who failed and has no number at all was not measured. */
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
