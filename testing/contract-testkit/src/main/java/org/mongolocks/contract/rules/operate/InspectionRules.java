package org.mongolocks.contract.rules.operate;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.rules.FeatureContext;
import org.mongolocks.contract.setup.RawCollection;

/** Rules IN, inspection: operators see who holds a lock, and can force-release it if it has not changed since. */
public interface InspectionRules extends FeatureContext {
    /**
     * IN-1. A held lock shows its holder and its token.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("IN-1")
    default void aHeldLockShowsItsHolder() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        assertThat(locks.inspect(name)).isEmpty();

        BlockingLock held = acquire(locks, name);

        LockSnapshot seen = locks.inspect(name).orElseThrow();
        assertThat(seen.name()).isEqualTo(name);
        assertThat(seen.holder()).contains(held.lease().owner().stored());
        assertThat(seen.fencingToken()).isEqualTo(held.fencingToken());
        assertThat(seen.ttl()).isEqualTo(ttl());
        assertThat(seen.isHeld()).isTrue();
    }

    /**
     * IN-2. A force-release ends exactly the grant in the snapshot, and the former holder learns why it lost the lock.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("IN-2")
    default void aForcedReleaseFreesTheLockAndTheHolderLearnsOfIt() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        BlockingLock held = acquire(newLocks(), name);

        assertThat(operator.forceRelease(operator.inspect(name).orElseThrow())).isTrue();

        assertThat(held.renew()).isFalse();
        assertThat(held.loss()).contains(LossReason.FORCED);
        assertThat(operator.tryAcquire(name, ttl())).isPresent();
    }

    /**
     * IN-3. A force-release does nothing if the lock has changed since the snapshot, also by a renewal.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("IN-3")
    default void aForcedReleaseDoesNothingAfterAChange() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        BlockingLock held = acquire(newLocks(), name);
        LockSnapshot seen = operator.inspect(name).orElseThrow();
        held.renew();

        assertThat(operator.forceRelease(seen)).isFalse();

        assertThat(held.renew()).isTrue();
    }

    /**
     * IN-4. A force-release does not affect a new holder of the lock.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("IN-4")
    default void aForcedReleaseDoesNotHitTheNextHolder() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        BlockingLock first = acquire(newLocks(), name);
        LockSnapshot seen = operator.inspect(name).orElseThrow();
        first.release();
        BlockingLock second = acquire(newLocks(), name);

        assertThat(operator.forceRelease(seen)).isFalse();

        assertThat(second.renew()).isTrue();
    }

    /**
     * IN-5. A force-release requires the holder in the snapshot, or none if it showed none: after an election the next
     * grant may have the same token and revision.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("IN-5")
    default void aForcedReleaseNeedsTheHolderThatWasSeen() throws Exception {
        String collection = freshCollection();
        LockName name = freshName();
        BlockingLocks operator = newLocks(builder -> builder.collection(collection));
        acquire(operator, name);

        LockSnapshot held = operator.inspect(name).orElseThrow();
        assertSparesAnotherHolder(operator, held, stored(collection));

        assertThat(operator.forceRelease(operator.inspect(name).orElseThrow())).isTrue();
        LockSnapshot free = operator.inspect(name).orElseThrow();
        assertSparesAnotherHolder(operator, free, stored(collection));
    }

    private static void assertSparesAnotherHolder(BlockingLocks operator, LockSnapshot seen, RawCollection documents)
            throws InterruptedException {
        BsonDocument next = documents.giveTo(seen.name(), "next/00000000-0000-0000-0000-000000000001");

        assertThat(operator.forceRelease(seen)).isFalse();

        assertThat(documents.find(seen.name())).contains(next);
    }
}
