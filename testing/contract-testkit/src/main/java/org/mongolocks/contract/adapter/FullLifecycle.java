package org.mongolocks.contract.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.ContractServer.LeaseElapser;

/**
 * Calls every operation of a lock client, so that it sends each of its commands.
 *
 * @param locks the client
 * @param server its server
 * @param hasWaitingLists whether its strategy keeps lists of waiters there
 */
public record FullLifecycle(BlockingLocks locks, ContractServer server, boolean hasWaitingLists) {
    /**
     * Acquires, renews, lists, waits for, releases and force-releases locks.
     *
     * @param isWaiting whether the waiter has sent all commands that it needs to be notified
     */
    public void live(Callable<Boolean> isWaiting) throws Exception {
        LockName name = LockName.of("life-" + UUID.randomUUID());
        Duration lease = server.ttl().multipliedBy(10);
        BlockingLock first = locks.tryAcquire(name, lease).orElseThrow();
        assertThat(locks.tryAcquire(name, lease)).isEmpty();
        assertThat(first.renew()).isTrue();
        assertThat(locks.list(LockQuery.all().prefix(name.value()).heldOnly()).locks())
                .hasSize(1);
        assertThat(locks.forceRelease(locks.inspect(name).orElseThrow())).isTrue();
        assertThat(first.renew()).isFalse();
        LockRequest patient =
                LockRequest.of(name, lease).fixedLease().waitAtMost(server.ttl().multipliedBy(20));
        alternate(patient, isWaiting);
        if (hasWaitingLists) {
            alternate(patient.fair(), isWaiting);
            assertThat(locks.tryAcquire(patient.fair().waitAtMost(Duration.ZERO))
                            .map(BlockingLock::release))
                    .hasValue(true);
        }
        keepTwoAlive();
    }

    private void alternate(LockRequest patient, Callable<Boolean> isWaiting) throws Exception {
        BlockingLock first = locks.tryAcquire(patient).orElseThrow();
        BackgroundTask<BlockingLock> second =
                BackgroundTask.run(() -> locks.tryAcquire(patient).orElseThrow());
        Eventually.isTrue("the other waits", isWaiting);
        assertThat(first.release()).isTrue();
        assertThat(second.resultWhile(new LeaseElapser(server)::step).release()).isTrue();
    }

    private void keepTwoAlive() throws Exception {
        List<BlockingLock> kept = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            LockRequest request = LockRequest.of("kept-" + UUID.randomUUID(), server.ttl());
            kept.add(locks.tryAcquire(request).orElseThrow());
        }
        BlockingLock first = kept.get(0);
        long end = first.lease().validUntilNanos();
        server.elapse(server.ttl().multipliedBy(2).dividedBy(5));
        Eventually.isTrue("it is renewed", () -> first.lease().validUntilNanos() - end > 0);
        kept.forEach(BlockingLock::release);
    }
}
