package org.mongolocks.study.process;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bson.Document;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.RunResult.Found;
import org.mongolocks.study.process.child.LivenessProbe;
import org.mongolocks.study.process.message.ChildMessage.Usage;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.RealTechniques;

/** Counts what happens in a run, and decides what is a violation or a leak. Thread-safe. */
final class Judge {
    /**
     * What the library does not prevent under pauses: late writes to data whose fence does not see reads, or that has
     * none. They are counted, and are no violations. Nor is it a violation that an orphaned transaction blocks a lock of
     * {@code transactional} until the server ends it.
     */
    private static final Set<Finding> EXPECTED =
            EnumSet.of(Finding.STALE_UNFENCED, Finding.STALE_FENCED, Finding.UPDATE_LOST);

    private static final int MAX_KEPT = 20;

    private final Map<String, Long> grants = new TreeMap<>();
    private final Map<String, Long> events = new TreeMap<>();
    private final Map<String, Long> faults = new TreeMap<>();
    private final Map<String, String> notInjected = new TreeMap<>();
    private final Map<String, Long> expected = new TreeMap<>();
    private final List<Found> found = new ArrayList<>();
    private final List<String> leaks = new ArrayList<>();
    private final List<String> notJudged = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final ClientUsage usage = new ClientUsage();
    private long violations;

    ClientUsage usage() {
        return usage;
    }

    synchronized void counts(Event event, Column technique) {
        if (event.op() == Op.ACQUIRE && event.phase() != Phase.INVOKE) {
            events.merge("acquisitions " + outcome(event), 1L, Long::sum);
        } else if (event.op() == Op.LOST) {
            events.merge("losses noticed", 1L, Long::sum);
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

    synchronized void failed(String why) {
        failures.add(why);
    }

    /** Adds what a probe has shown of a lock that no client uses. */
    synchronized void probed(LockHistory lock, LivenessProbe.Outcome outcome) {
        String name = lock.technique().name() + ": " + RealTechniques.lock(lock.number());
        switch (outcome) {
            case FREE -> {}
            case STUCK -> leaks.add(name + " cannot be acquired, and no client uses it");
            case NOT_JUDGED -> notJudged.add(name + " could not be acquired in time, and neither could a new lock");
        }
    }

    /** Adds a finding; returns whether it is a violation. */
    synchronized boolean found(LockHistory lock, CounterExample example) {
        Finding finding = example.violation().finding();
        if (finding == Finding.LEAK) {
            return false; // Added by the probe that found it.
        }
        boolean isOrphan = finding == Finding.HELD_BY_NOBODY && lock.isTransactional();
        if (EXPECTED.contains(finding) || isOrphan) {
            expected.merge(finding.name(), 1L, Long::sum);
            return false;
        }
        violations++;
        if (found.size() < MAX_KEPT) {
            List<Document> shown = example.events().stream()
                    .map(Event::line)
                    .map(Document::parse)
                    .toList();
            found.add(new Found(finding, lock.technique().name(), lock.number(), example.text(), shown));
        }
        return true;
    }

    /** Returns what the run has shown so far. */
    synchronized RunResult result() {
        Usage largest = usage.largest();
        return new RunResult(
                new TreeMap<>(grants),
                new TreeMap<>(events),
                new TreeMap<>(faults),
                new TreeMap<>(notInjected),
                new TreeMap<>(expected),
                largest.heapBytes(),
                largest.threads(),
                largest.otherThreads(),
                violations,
                List.copyOf(found),
                List.copyOf(leaks),
                List.copyOf(notJudged),
                List.copyOf(failures));
    }
}
