package org.mongolocks.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.LockClient;

/** Has one thread work under a lock while others wait for it, on one client or spread over several. */
public final class Crowd {
    private Crowd() {}

    /**
     * Lets them contend.
     *
     * @param bench the server
     * @param strategy how to lock
     * @param clients how many clients there are
     * @param waiters how many wait while one has the lock
     * @param time for how long
     */
    public static Contended of(Workbench bench, LockStrategy strategy, int clients, int waiters, Duration time)
            throws InterruptedException {
        List<LockClient> built = new ArrayList<>();
        try {
            for (int client = 0; client < clients; client++) {
                built.add(bench.client(strategy));
            }
            return new Contention(built, bench.protectedData(strategy), bench.commands(), waiters + 1).run(time);
        } finally {
            built.forEach(LockClient::close);
        }
    }
}
