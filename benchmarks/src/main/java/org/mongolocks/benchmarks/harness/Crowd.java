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
 * Has one work under a lock while others wait for it: the one measurement of contention that there is.
 *
 * @param parties over how many clients they are spread
 * @param waiters how many wait while one has the lock
 * @param section how long it is needed each time, besides the visit to the protected data
 * @param isInOrder whether they keep the order in which they asked
 */
public record Crowd(int parties, int waiters, Duration section, boolean isInOrder) {
    /** Longer than any wait here: nobody gives up by itself. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Gives a crowd in one client, in no order. */
    static Crowd of(int waiters, int sectionMillis) {
        return new Crowd(1, waiters, Duration.ofMillis(sectionMillis), false);
    }

    /**
     * Lets them contend for a lock that is new, and counts while all of them do.
     *
     * @param rival whose lock
     * @param data what it protects; what it witnessed is part of the result
     * @param time for how long
     * @throws org.mongolocks.LockException if an operation fails, or a lock was lost
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
