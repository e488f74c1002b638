package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.LockName;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.RacyCounter;

/** Rules MX, mutual exclusion: at most one owner holds a lock at a time. */
public interface MutualExclusionRules extends ContractContext {
    /**
     * MX-1. While a lease is live the lock is contended, also for the client that holds it, and for one that has held it
     * before.
     */
    @Test
    @ContractRule("MX-1")
    default void lockIsContendedForAllWhileALeaseIsLive() throws Exception {
        BlockingLocks former = newLocks();
        BlockingLocks holder = newLocks();
        LockName name = freshName();

        acquire(former, name).release();
        BlockingLock held = acquire(holder, name);

        assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
        assertThat(former.tryAcquire(name, ttl())).isEmpty();
        assertThat(holder.tryAcquire(name, ttl())).isEmpty();
        assertThat(held.isHeld()).isTrue();
    }

    /** MX-2. Locks of different names are independent. */
    @Test
    @ContractRule("MX-2")
    default void locksOfOtherNamesAreFree() throws Exception {
        BlockingLocks locks = newLocks();

        acquire(locks, freshName());

        assertThat(locks.tryAcquire(freshName(), ttl())).isPresent();
    }

    /** MX-3. If many clients create a lock at the same time, one gets it. */
    @Test
    @ContractRule("MX-3")
    default void oneOfManyConcurrentCreatorsGetsTheLock() throws Exception {
        int parties = 8;
        LockName name = freshName();
        CyclicBarrier start = new CyclicBarrier(parties);

        List<BackgroundTask<Optional<BlockingLock>>> asking = new ArrayList<>();
        for (int party = 0; party < parties; party++) {
            BlockingLocks locks = newLocks();
            asking.add(BackgroundTask.run(() -> {
                start.await();
                return locks.tryAcquire(name, ttl());
            }));
        }

        int granted = 0;
        for (BackgroundTask<Optional<BlockingLock>> party : asking) {
            granted += party.result().isPresent() ? 1 : 0;
        }
        assertThat(granted).isEqualTo(1);
    }

    /**
     * MX-4. Protected data is changed by one holder at a time, and each grant has a larger token than the one before.
     *
     * @param clients how many clients
     * @param threads how many threads share each client
     * @param grants how often each thread acquires the lock
     */
    @ParameterizedTest(name = "{0} clients x {1} threads")
    @CsvSource({"2,1,10", "4,1,6", "2,4,3", "8,2,2", "16,1,2"})
    @ContractRule("MX-4")
    default void protectedDataIsChangedByOneAtATime(int clients, int threads, int grants) throws Exception {
        LockName name = freshName();
        RacyCounter witness = newWitness();
        CyclicBarrier start = new CyclicBarrier(clients * threads);
        AtomicInteger granted = new AtomicInteger();

        List<BackgroundTask<Void>> parties = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            BlockingLocks locks = newLocks();
            for (int thread = 0; thread < threads; thread++) {
                parties.add(BackgroundTask.run(() -> {
                    start.await();
                    for (int grant = 0; grant < grants; grant++) {
                        acquireAndIncrement(locks, name, witness, granted);
                    }
                    return null;
                }));
            }
        }
        Eventually.areDone(parties, granted::get);
        for (BackgroundTask<Void> party : parties) {
            party.result();
        }

        witness.assertVisits(clients * threads * grants);
    }

    private void acquireAndIncrement(BlockingLocks locks, LockName name, RacyCounter witness, AtomicInteger granted)
            throws InterruptedException {
        BlockingLock lock = locks.tryAcquire(patient(name)).orElseThrow();
        granted.incrementAndGet();
        witness.increment(lock.fencingToken());
        assertThat(lock.release()).isTrue();
    }
}
