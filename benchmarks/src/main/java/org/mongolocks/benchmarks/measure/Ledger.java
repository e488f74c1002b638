package org.mongolocks.benchmarks.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Findings;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Verdict;
import org.mongolocks.benchmarks.result.Verdict.Status;

/** Collects what a run finds. Used by one thread. */
final class Ledger {
    private final Map<String, Contender> contenders = new LinkedHashMap<>();
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    /** Lists a contender, unless it is listed. */
    void enter(Contender contender) {
        contenders.putIfAbsent(contender.id(), contender);
    }

    /** Keeps a number of a contender that is listed. */
    void record(Measurement measurement) {
        requireListed(measurement.subject().contender());
        measurements.add(measurement);
    }

    void remark(String remark) {
        remarks.add(remark);
    }

    /** Changes the verdict on a contender. Who is void stays void. */
    void judge(String id, Verdict verdict) {
        Contender contender = requireListed(id);
        if (contender.verdict().status() != Status.VOID) {
            contenders.put(id, contender.with(verdict));
        }
    }

    boolean isIn(String id) {
        return requireListed(id).verdict().status() == Status.MEASURED;
    }

    /** Gives everything. The numbers of who is void stay, for whoever wants to know what went wrong. */
    Findings findings() {
        return new Findings(measurements, List.copyOf(contenders.values()), remarks);
    }

    private Contender requireListed(String id) {
        Contender contender = contenders.get(id);
        if (contender == null) {
            throw new IllegalStateException("'" + id + "' was not entered");
        }
        return contender;
    }
}
