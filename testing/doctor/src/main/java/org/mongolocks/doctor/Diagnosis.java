package org.mongolocks.doctor;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.doctor.check.Check;
import org.mongolocks.doctor.check.CheckResult;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.doctor.check.Deployment;
import org.mongolocks.doctor.check.Promise;
import org.mongolocks.spi.LockStrategy;

/**
 * The findings of all checks, and the verdict for each strategy.
 *
 * @param startedAt when the first check began
 * @param topology the kind of the deployment, in words
 * @param findings the findings, in the order of the checks
 * @param strategies the verdict for each strategy
 */
record Diagnosis(Instant startedAt, String topology, List<CheckResult> findings, List<Verdict> strategies) {

    /**
     * The verdict for one strategy.
     *
     * @param strategy its name
     * @param promises each promise with the findings that speak against it, worst first; none if it holds
     */
    record Verdict(String strategy, Map<Promise, List<CheckResult>> promises) {
        /** Returns the status of a promise, as its worst finding has it. */
        Status of(Promise promise) {
            List<CheckResult> against = promises.getOrDefault(promise, List.of());
            return against.isEmpty() ? Status.OK : against.get(0).status();
        }

        /** Returns whether all essential promises hold, as far as is known. */
        boolean isUsable() {
            return promises.keySet().stream()
                    .noneMatch(promise -> promise.isEssential() && of(promise) == Status.BROKEN);
        }
    }

    /** Worst first. */
    private static final List<Status> SEVERITY = List.of(Status.BROKEN, Status.WARNING, Status.UNSEEN);

    /**
     * Runs all checks.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    static Diagnosis of(Deployment deployment, List<Check> checks) throws InterruptedException {
        Instant startedAt = Instant.now();
        List<CheckResult> findings = new ArrayList<>();
        for (Check check : checks) {
            findings.addAll(check.run(deployment));
        }
        List<Verdict> verdicts = deployment.strategies().stream()
                .map(LockStrategy::name)
                .map(name -> new Verdict(name, promises(name, findings)))
                .toList();
        return new Diagnosis(startedAt, deployment.topology(), List.copyOf(findings), verdicts);
    }

    /** Returns whether no finding is broken. */
    boolean holds() {
        return findings.stream().noneMatch(finding -> finding.status() == Status.BROKEN);
    }

    /** Returns the names of the strategies that can be used. */
    List<String> usable() {
        return strategies.stream()
                .filter(Verdict::isUsable)
                .map(Verdict::strategy)
                .toList();
    }

    /** Returns the advice, each sentence once; advice on broken promises comes first. */
    List<String> advice() {
        return SEVERITY.stream()
                .flatMap(status -> findings.stream().filter(finding -> finding.status() == status))
                .flatMap(finding -> finding.toDo().stream())
                .distinct()
                .toList();
    }

    private static Map<Promise, List<CheckResult>> promises(String strategy, List<CheckResult> findings) {
        Map<Promise, List<CheckResult>> promises = new LinkedHashMap<>();
        for (Promise promise : Promise.values()) {
            List<CheckResult> about = findings.stream()
                    .filter(finding -> finding.isAbout(promise, strategy))
                    .toList();
            if (!about.isEmpty()) {
                promises.put(
                        promise,
                        SEVERITY.stream()
                                .flatMap(status -> about.stream().filter(finding -> finding.status() == status))
                                .toList());
            }
        }
        return promises;
    }
}
