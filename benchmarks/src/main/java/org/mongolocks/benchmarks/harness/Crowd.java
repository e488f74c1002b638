package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.harness.Visitor.Log;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.measure.Fairness;
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
    /** Gives a crowd in one client, in no order. */
    static Crowd of(int waiters, int sectionMillis) {
        return new Crowd(1, waiters, Duration.ofMillis(sectionMillis), false);
    }

    /**
     * Lets them contend for a lock that is new.
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
            long sentBefore = rival.commands().orElse(0);
            long started = System.nanoTime();
            List<Log> logs = Together.run(visitors(opened, data, started + time.toNanos()));
            double seconds = (System.nanoTime() - started) / 1e9;
            return summary(logs, seconds, rival.commands().orElse(0) - sentBefore, data);
        } finally {
            opened.forEach(Party::close);
        }
    }

    private List<Visitor> visitors(List<Party> opened, ProtectedData data, long endNanos) {
        LockRequest plain = LockRequest.of("contended-" + UUID.randomUUID(), Workbench.TTL);
        Visitor.Errand errand = new Visitor.Errand(isInOrder ? plain.inOrder() : plain, data, section, endNanos);
        return IntStream.rangeClosed(0, waiters)
                .mapToObj(number -> new Visitor(opened.get(number % opened.size()), errand))
                .toList();
    }

    private static Contended summary(List<Log> logs, double seconds, long sent, ProtectedData data) {
        List<Long> shares = logs.stream().map(Log::grants).toList();
        return new Contended(
                logs.size(),
                seconds,
                shares.stream().mapToLong(Long::longValue).sum(),
                Fairness.jain(shares),
                logs.stream().mapToLong(Log::longestWaitNanos).max().orElse(0),
                sent,
                data.violations());
    }
}
