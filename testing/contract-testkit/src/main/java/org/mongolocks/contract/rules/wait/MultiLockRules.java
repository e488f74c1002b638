package org.mongolocks.contract.rules.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLockSet;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.rules.FeatureContext;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;
import org.mongolocks.contract.setup.RacyCounter;

/**
 * Rules ML, several locks: they are acquired all or none, without deadlock, and a failed acquisition leaves nothing
 * behind.
 */
public interface MultiLockRules extends FeatureContext {
    /**
     * ML-1. All locks of a set are held, each with its own token, until they are released.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("ML-1")
    default void allLocksOfASetAreHeldEachWithItsToken() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLocks others = newLocks();
        long earlier = acquire(others, names.get(1)).fencingToken();
        others.forceRelease(others.inspect(names.get(1)).orElseThrow());

        BlockingLockSet set = newLocks().acquireAll(set(names, Duration.ZERO)).orElseThrow();

        assertThat(set.isHeld()).isTrue();
        for (LockName name : names) {
            LockSnapshot seen = others.inspect(name).orElseThrow();
            assertThat(seen.holder()).contains(set.get(name).lease().owner().stored());
            assertThat(seen.fencingToken()).isEqualTo(set.get(name).fencingToken());
            assertThat(others.tryAcquire(name, ttl())).isEmpty();
        }
        assertThat(set.get(names.get(1)).fencingToken()).isGreaterThan(earlier);
        assertThat(set.release()).isTrue();
        assertThat(areFree(names)).isTrue();
    }

    /**
     * ML-2. If one lock of a set is held, the set is contended and nothing is left behind.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("ML-2")
    default void setWithAContendedLockHoldsNothing() throws Exception {
        for (int position = 0; position < 3; position++) {
            List<LockName> names = new ArrayList<>(freshNames(3));
            BlockingLock held = acquire(newLocks(), names.remove(position));
            List<LockName> all = new ArrayList<>(names);
            all.add(held.lease().name());

            assertThat(newLocks().acquireAll(set(all, Duration.ZERO))).isEmpty();

            assertThat(areFree(names)).isTrue();
            assertThat(held.release()).isTrue();
        }
    }

    /**
     * ML-3. A set is waited for until its deadline; then nothing is left behind.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("ML-3")
    default void setThatTimesOutHoldsNothing() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLock held = acquire(newLocks(), names.get(2));
        Duration wait = ttl().dividedBy(2);
        BlockingLocks waiting = newLocks();
        long start = server().time().nanoTime();

        BackgroundTask<Long> waiter = BackgroundTask.run(() -> {
            assertThat(waiting.acquireAll(set(names, wait))).isEmpty();
            return server().time().nanoTime();
        });
        long end = waiter.resultWhile(() -> server().elapse(wait.dividedBy(8)));

        assertThat(Duration.ofNanos(end - start)).isBetween(wait, ttl());
        assertThat(areFree(names.subList(0, 2))).isTrue();
        assertThat(held.isHeld()).isTrue();
    }

    /**
     * ML-4. Overlapping sets never deadlock, in whatever order they name their locks, and the data of each lock is
     * changed by one holder at a time.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("ML-4")
    default void setsThatOverlapNeitherBlockNorMix() throws Exception {
        List<LockName> names = freshNames(3);
        LockName a = names.get(0);
        LockName b = names.get(1);
        LockName c = names.get(2);
        List<RacyCounter> three = List.of(newWitness(), newWitness(), newWitness());
        Function<LockName, RacyCounter> witnesses = name -> three.get(names.indexOf(name));
        List<List<LockName>> sets = List.of(List.of(a, b), List.of(b, a), List.of(c, b), List.of(c, a, b));

        List<BackgroundTask<Boolean>> callers = new ArrayList<>();
        for (List<LockName> wanted : sets) {
            BlockingLocks locks = newLocks();
            callers.add(BackgroundTask.run(() -> acquireAndIncrement(locks, wanted, witnesses)));
        }
        Eventually.isTrue(
                "every client has had its locks", () -> callers.stream().allMatch(BackgroundTask::isDone));

        for (BackgroundTask<Boolean> caller : callers) {
            assertThat(caller.result()).isTrue();
        }
        for (LockName name : names) {
            int users = (int) sets.stream().filter(set -> set.contains(name)).count();
            witnesses.apply(name).assertVisits(3 * users);
        }
    }

    /**
     * ML-5. The loss of one lock of a set is reported, the set no longer counts as held, the other locks do, and a
     * release ends all that remain.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("ML-5")
    default void lossOfOneLockOfASetIsReported() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLocks operator = newLocks();
        BlockingLockSet set = newLocks().acquireAll(set(names, Duration.ZERO)).orElseThrow();
        List<LockName> reported = new CopyOnWriteArrayList<>();
        set.onLost((lease, reason) -> reported.add(lease.name()));
        operator.forceRelease(operator.inspect(names.get(1)).orElseThrow());

        assertThat(set.get(names.get(1)).renew()).isFalse();

        Eventually.isTrue("the loss is reported", () -> !reported.isEmpty());
        assertThat(set.get(names.get(1)).loss()).contains(LossReason.FORCED);
        assertThat(set.isHeld()).isFalse();
        assertThat(set.get(names.get(0)).isHeld()).isTrue();
        assertThat(operator.tryAcquire(names.get(2), ttl())).isEmpty();
        assertThat(set.release()).isFalse();
        assertThat(areFree(names)).isTrue();
        assertThat(reported).containsExactly(names.get(1));
    }

    private boolean acquireAndIncrement(
            BlockingLocks locks, List<LockName> wanted, Function<LockName, RacyCounter> witnesses)
            throws InterruptedException {
        for (int grant = 0; grant < 3; grant++) {
            Optional<BlockingLockSet> set = locks.acquireAll(set(wanted, ttl().multipliedBy(20)));
            for (BlockingLock lock : set.orElseThrow().all()) {
                witnesses.apply(lock.lease().name()).increment(lock.fencingToken());
            }
            assertThat(set.orElseThrow().release()).isTrue();
        }
        return true;
    }
}
