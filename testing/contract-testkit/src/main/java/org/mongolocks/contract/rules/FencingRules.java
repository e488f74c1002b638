package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * Rules FT, fencing tokens: each grant has a larger token than every earlier grant of that lock, whatever happened
 * between them.
 */
public interface FencingRules extends ContractContext {
    /** FT-1. The token grows over a release. */
    @Test
    @ContractRule("FT-1")
    default void tokenGrowsOverARelease() throws Exception {
        assumeStrictFencing();
        LockName name = freshName();
        BlockingLocks locks = newLocks();

        long last = 0;
        for (int grant = 0; grant < 5; grant++) {
            BlockingLock lock = acquire(locks, name);
            assertThat(lock.fencingToken()).isGreaterThan(last);
            last = lock.fencingToken();
            lock.release();
        }
    }

    /** FT-2. The token grows over a takeover. */
    @Test
    @ContractRule("FT-2")
    default void tokenGrowsOverATakeover() throws Exception {
        assumeStrictFencing();
        LockName name = freshName();

        BlockingLock late = acquire(newLocks(), name);
        BlockingLock next = takeOver(newLocks(), name);

        assertThat(next.fencingToken()).isGreaterThan(late.fencingToken());
    }

    /**
     * FT-3. A force-release increases the stored token at once, and the next token is larger than the former holder's.
     */
    @Test
    @ContractRule("FT-3")
    default void tokenGrowsOverAForcedRelease() throws Exception {
        assumeStrictFencing();
        LockName name = freshName();
        BlockingLocks locks = newLocks();

        BlockingLock forced = acquire(locks, name);
        assertThat(locks.forceRelease(locks.inspect(name).orElseThrow())).isTrue();

        assertThat(locks.inspect(name).orElseThrow().fencingToken()).isGreaterThan(forced.fencingToken());
        assertThat(acquire(locks, name).fencingToken()).isGreaterThan(forced.fencingToken());
    }

    /** FT-4. A renewal changes the end of the lease, but not the token. */
    @Test
    @ContractRule("FT-4")
    default void tokenStaysOverRenewals() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock lock = acquire(locks, name);
        long token = lock.fencingToken();

        assertThat(lock.renew()).isTrue();
        assertThat(lock.renew()).isTrue();

        assertThat(lock.fencingToken()).isEqualTo(token);
        assertThat(locks.inspect(name).orElseThrow().fencingToken()).isEqualTo(token);
    }

    /** FT-5. The token grows even if an unused lock document was cleaned up in between. */
    @Test
    @ContractRule("FT-5")
    default void tokenGrowsOverACleanUp() throws Exception {
        assumeStrictFencing();
        boolean cleansUp = strategy().schema().collections().get(0).ttl().isPresent();
        assumeTrue(cleansUp, () -> strategy().name() + " keeps its lock documents");
        LockName name = freshName();
        BlockingLocks locks = newLocks();

        BlockingLock before = acquire(locks, name);
        before.release();
        cleanUp(name);
        assertThat(locks.inspect(name)).isEmpty();

        assertThat(acquire(locks, name).fencingToken()).isGreaterThan(before.fencingToken());
    }

    private void assumeStrictFencing() {
        boolean strict = strategy().traits().contains(Trait.STRICT_FENCING);
        assumeTrue(strict, () -> strategy().name() + " does not claim " + Trait.STRICT_FENCING);
    }
}
