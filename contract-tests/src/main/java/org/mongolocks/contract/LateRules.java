package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.Trait;

/** LA: what the server does late, when nobody waits for it any more, is taken back or refused. */
public interface LateRules extends FaultSetting {
    /** Longer than the time limit of a command of the faulty clients. */
    int SLOW_MILLIS = 1_500;

    /**
     * LA-1. Whoever is interrupted (or cancels) while the server is at work leaves nothing behind, also if the server is
     * slower than the time limit of a command: what it grants after that is taken back, or refused because the session
     * has gone on. A standalone has no such sessions; there the ttl bounds it.
     *
     * @param blockMillis for how long the server does not answer
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "blocked for {0} ms")
    @ValueSource(ints = {200, SLOW_MILLIS})
    @ContractRule("LA-1")
    default void whoIsInterruptedDuringACommandLeavesNothingBehind(int blockMillis) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(true)) {
            faulty.block(1, blockMillis, granting());
            CountDownLatch sent = faulty.nextSent(granting());

            Background<Optional<BlockingLock>> asking =
                    Background.run(() -> faulty.locks().tryAcquire(name, ttl()));
            assertThat(sent.await(10, TimeUnit.SECONDS)).isTrue();
            asking.interrupt();

            assertThatExceptionOfType(InterruptedException.class).isThrownBy(asking::result);
            server().elapse(Duration.ofMillis(blockMillis).plusMillis(500));
            BlockingLock next = server().isStandalone() ? takeOver(newLocks(), name) : soonFree(name);
            assertThat(next.isHeld()).isTrue();
        }
    }

    /**
     * LA-2. A grant that takes longer than the time limit of a command is held, or given up. Who is told that nothing is
     * held, holds nothing, also when the server gets round to it later. Who is told that nobody knows need not wait for
     * the ttl with retryable writes, or in transactions: it is given back as soon as the server answers.
     *
     * @param retryWrites whether the driver retries writes
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-2")
    default void whatIsGivenUpIsNotGrantedLater(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            acquire(faulty.locks(), freshName());
            faulty.block(1, SLOW_MILLIS, granting());

            boolean held = false;
            boolean unknown = false;
            try {
                held = faulty.locks().tryAcquire(name, ttl()).isPresent();
            } catch (IndeterminateLockException e) {
                unknown = true;
            } catch (LockException e) {
                assertThat(e).hasMessageContaining(name.value());
            }
            server().elapse(Duration.ofMillis(SLOW_MILLIS).plusMillis(500));

            boolean numbered =
                    strategy().traits().contains(Trait.NEEDS_TRANSACTIONS) || (retryWrites && !server().isStandalone());
            if (held) {
                assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
            } else if (!unknown || numbered) {
                assertThat(soonFree(name).isHeld()).isTrue();
            }
        }
    }

    /** A subscription that is cancelled is taken back in the background: soon, long before the ttl would free the lock. */
    private BlockingLock soonFree(LockName name) throws InterruptedException {
        return newLocks()
                .acquire(new LockRequest(name, ttl(), ttl().dividedBy(2)))
                .orElseThrow(() -> new AssertionError("Lock '" + name + "' was not free within half a lease"));
    }
}
