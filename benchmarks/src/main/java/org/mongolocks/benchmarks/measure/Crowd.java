package org.mongolocks.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.LockClient;

/**
 * Has one thread work under a lock while others wait for it, on one client or spread over several.
 *
 * @param clients how many clients there are
 * @param waiters how many wait while one has the lock
 * @param isInOrder whether they keep the order in which they asked
 */
public record Crowd(int clients, int waiters, boolean isInOrder) {
    /**
     * Lets them contend.
     *
     * @param bench the server
     * @param strategy how to lock
     * @param time for how long
     */
    public Contended contend(Workbench bench, LockStrategy strategy, Duration time) throws InterruptedException {
        List<LockClient> built = new ArrayList<>();
        try {
            for (int client = 0; client < clients; client++) {
                built.add(bench.client(strategy));
            }
            UnaryOperator<LockRequest> manner = isInOrder ? LockRequest::inOrder : UnaryOperator.identity();
            return new Contention(built, bench.protectedData(strategy), bench.commands(), waiters + 1)
                    .run(time, manner);
        } finally {
            built.forEach(LockClient::close);
        }
    }
}
