package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.harness.Visitor.Errand;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;

/**
 * A contention scenario: one worker holds the lock while the others wait for it. All measurements of contention use it.
 *
 * @param parties the number of clients that share the workers
 * @param waiters the number of waiters while one worker holds the lock
 * @param section the time that the lock is held for each grant, in addition to the access to the protected data
 * @param isInOrder whether requests are granted in the order of arrival
 */
public record Crowd(int parties, int waiters, Duration section, boolean isInOrder) {
    /** Longer than any wait here: no request times out. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Returns a scenario with one client and without order. */
    static Crowd of(int waiters, int sectionMillis) {
        return new Crowd(1, waiters, Duration.ofMillis(sectionMillis), false);
    }

    /**
     * Runs the scenario on a lock with a new name, and counts while all workers contend.
     *
     * @param rival the lock under test
     * @param data the protected data; its violations are part of the result
     * @param time the time to count
     * @throws org.mongolocks.LockException if an operation fails or a lock was lost
     */
    public Contended contend(Rival rival, ProtectedData data, Duration time) throws InterruptedException {
        List<Party> opened = new ArrayList<>();
        try {
            for (int party = 0; party < parties; party++) {
                opened.add(rival.open());
            }
            Errand errand = new Errand(request(), data, section, new CountDownLatch(1));
            List<Visitor> visitors = visitors(opened, errand);
            List<Callable<Optional<Window>>> all = new ArrayList<>(visitors);
            Clerk clerk = new Clerk(
                    opened.get(0), errand, visitors, () -> rival.commands().orElse(0));
            all.add(() -> clerk.count(time));
            Window window = Together.run(all).get(waiters + 1).orElseThrow();
            return window.contended(data.violations());
        } finally {
            opened.forEach(Party::close);
        }
    }

    private LockRequest request() {
        LockRequest plain =
                LockRequest.of("contended-" + UUID.randomUUID(), Workbench.TTL).waitAtMost(PATIENCE);
        return isInOrder ? plain.inOrder() : plain;
    }

    private List<Visitor> visitors(List<Party> opened, Errand errand) {
        return IntStream.rangeClosed(0, waiters)
                .mapToObj(number -> new Visitor(opened.get(number % opened.size()), errand))
                .toList();
    }
}
