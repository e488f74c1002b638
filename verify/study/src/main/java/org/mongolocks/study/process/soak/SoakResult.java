package org.mongolocks.study.process.soak;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.child.LivenessProbe;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/** The counters, violations and leaks of a run. Keeps the first violations only. Thread-safe. */
public final class SoakResult {
    /**
     * What the library does not prevent under pauses: late writes to data whose fence does not see reads, or that has
     * none. They are counted, and are no violations. Nor is it a violation that an orphaned transaction blocks a lock of
     * {@code transactional} until the server ends it.
     */
    private static final Set<Finding> EXPECTED =
            EnumSet.of(Finding.STALE_UNFENCED, Finding.STALE_FENCED, Finding.UPDATE_LOST);

    private static final int MAX_KEPT = 20;

    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<String, Long> grants = new TreeMap<>();
    private final Map<String, Long> faults = new TreeMap<>();
    private final Map<String, String> notInjected = new TreeMap<>();
    private final Map<Finding, Long> expected = new TreeMap<>();
    private final List<Found> found = new ArrayList<>();
    private final List<String> leaks = new ArrayList<>();
    private final List<String> notJudged = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final ClientUsage usage = new ClientUsage();
    private long violations;

    /**
     * A violation.
     *
     * @param lock the number of the lock
     * @param technique the strategy
     * @param example the events that show it
     */
    public record Found(int lock, String technique, CounterExample example) {}

    ClientUsage usage() {
        return usage;
    }

    synchronized void counts(Event event, Technique technique) {
        if (event.op() == Op.ACQUIRE && event.phase() != Phase.INVOKE) {
            counts.merge("acquisitions " + outcome(event), 1L, Long::sum);
        } else if (event.op() == Op.LOST) {
            counts.merge("losses noticed", 1L, Long::sum);
        }
        if (event.is(Op.ACQUIRE, Phase.OK)) {
            grants.merge(technique.name(), 1L, Long::sum);
        }
    }

    private static String outcome(Event event) {
        return switch (event.phase()) {
            case OK -> "granted";
            case INFO -> "indeterminate";
            default -> event.note().isEmpty() ? "contended" : "failed";
        };
    }

    synchronized void fault(String kind) {
        faults.merge(kind, 1L, Long::sum);
    }

    synchronized void notInjected(String kind, String why) {
        notInjected.put(kind, why);
    }

    synchronized void leaks(String what) {
        leaks.add(what);
    }

    /** Adds what a probe has shown of a lock that no client uses. */
    synchronized void probed(SoakLock lock, LivenessProbe.Outcome outcome) {
        String name = lock.technique().name() + ": " + RealTechniques.lock(lock.number());
        switch (outcome) {
            case FREE -> {}
            case STUCK -> leaks.add(name + " cannot be acquired, and no client uses it");
            case NOT_JUDGED -> notJudged.add(name + " could not be acquired in time, and neither could a new lock");
        }
    }

    /** Adds a finding; returns whether it is a violation. */
    synchronized boolean found(SoakLock lock, CounterExample example) {
        Finding finding = example.violation().finding();
        if (finding == Finding.LEAK) {
            return false; // Added by the probe that found it.
        }
        boolean isOrphan = finding == Finding.HELD_BY_NOBODY && lock.needsTransactions();
        if (EXPECTED.contains(finding) || isOrphan) {
            expected.merge(finding, 1L, Long::sum);
            return false;
        }
        violations++;
        if (found.size() < MAX_KEPT) {
            found.add(new Found(lock.number(), lock.technique().name(), example));
        }
        return true;
    }

    synchronized void failed(String why) {
        failures.add(why);
    }

    /** Returns the outcomes of acquisitions and other events, by kind. */
    public synchronized Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    /** Returns the grants by strategy. */
    public synchronized Map<String, Long> grants() {
        return new TreeMap<>(grants);
    }

    /** Returns the faults by kind. */
    public synchronized Map<String, Long> faults() {
        return new TreeMap<>(faults);
    }

    /** Returns the kinds of faults that the server does not permit, each with its reason. */
    public synchronized Map<String, String> notInjected() {
        return new TreeMap<>(notInjected);
    }

    /** Returns the findings that the library does not prevent. */
    public synchronized Map<Finding, Long> expected() {
        return new TreeMap<>(expected);
    }

    /** Returns the first violations. */
    public synchronized List<Found> found() {
        return List.copyOf(found);
    }

    /** Returns the number of violations. */
    public synchronized long violations() {
        return violations;
    }

    public synchronized List<String> leaks() {
        return List.copyOf(leaks);
    }

    /** Returns what the machine was too busy to show. */
    public synchronized List<String> notJudged() {
        return List.copyOf(notJudged);
    }

    /** Returns why the run ended early, for example because a client exited unexpectedly. */
    public synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** Returns whether nothing was found; something may have been {@linkplain #notJudged not judged}. */
    public synchronized boolean isSound() {
        return violations == 0 && leaks.isEmpty() && failures.isEmpty();
    }
}
