package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mongolocks.ClientClosedException;
import org.mongolocks.ClientStatus.ChangeStream.State;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;

/**
 * Rules RL, release: a release ends the lease of its own holder and no other. Rules CL, closing: a closed client leaves
 * nothing behind, and closing takes bounded time.
 */
public interface ReleaseRules extends ContractContext {
    /** RL-1. A released lock can be acquired at once by any client. */
    @Test
    @ContractRule("RL-1")
    default void aReleasedLockIsFree() throws Exception {
        LockName name = freshName();

        assertThat(acquire(newLocks(), name).release()).isTrue();

        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
    }

    /** RL-2. A late release by a former holder changes nothing for the new owner. */
    @Test
    @ContractRule("RL-2")
    default void aLateReleaseChangesNothing() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock late = acquire(newPausedLocks(), name);
        BlockingLock next = takeOver(newLocks(), name);
        LockSnapshot before = locks.inspect(name).orElseThrow();

        assertThat(late.release()).isFalse();

        LockSnapshot after = locks.inspect(name).orElseThrow();
        assertThat(after.holder()).contains(next.lease().owner().stored());
        assertThat(after.revision()).isEqualTo(before.revision());
        assertThat(next.renew()).isTrue();
    }

    /** RL-3. A second release does nothing, even if another owner holds the lock by then. */
    @Test
    @ContractRule("RL-3")
    default void theSecondReleaseDoesNothing() throws Exception {
        LockName name = freshName();
        BlockingLock first = acquire(newLocks(), name);
        first.release();
        BlockingLock second = acquire(newLocks(), name);

        assertThat(first.release()).isFalse();

        assertThat(second.renew()).isTrue();
    }

    /** RL-4. A released lock shows no holder. */
    @Test
    @ContractRule("RL-4")
    default void aReleasedLockShowsNoHolder() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        acquire(locks, name).release();

        assertThat(locks.inspect(name).flatMap(LockSnapshot::holder)).isEqualTo(Optional.empty());
    }

    /**
     * RL-5. A lock that is released before its minimum hold has passed stays held by no owner until then: its former
     * holder can neither renew nor release it, and a waiter gets it at the end of the minimum, with a larger token.
     */
    @Test
    @ContractRule("RL-5")
    default void aReleaseKeepsTheMinimumHold() throws Exception {
        LockName name = freshName();
        BlockingLocks others = newLocks();
        Duration minimum = Duration.ofMillis(ttl().toMillis() / 2);
        long start = server().time().nanoTime();
        BlockingLock held = newLocks()
                .tryAcquire(LockRequest.of(name, ttl()).holdAtLeast(minimum))
                .orElseThrow();

        assertThat(held.release()).isTrue();

        assertThat(held.isHeld()).isFalse();
        assertThat(held.renew()).isFalse();
        assertThat(held.release()).isFalse();
        assertThat(others.tryAcquire(name, ttl())).isEmpty();
        assertThat(others.inspect(name).orElseThrow().ttl()).isLessThanOrEqualTo(minimum.plusMillis(2));
        BlockingLock next = takeOver(newLocks(), name);
        assertThat(Duration.ofNanos(server().time().nanoTime() - start)).isGreaterThanOrEqualTo(minimum);
        assertThat(next.lease().fencingToken()).isGreaterThan(held.lease().fencingToken());
    }

    /** RL-6. Closing a client keeps the minimum hold of its locks. */
    @Test
    @ContractRule("RL-6")
    default void closingKeepsTheMinimumHold() throws Exception {
        LockName name = freshName();
        BlockingLocks closed = newLocks();
        assertThat(closed.tryAcquire(LockRequest.of(name, ttl()).fixedLease().holdAtLeast(ttl())))
                .isPresent();

        closed.close();

        assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
    }

    /** The command timeout of a client whose server hangs: closing does not wait for it. */
    Duration HANG = Duration.ofMinutes(5);

    /** CL-1. Closing a client releases the locks that it holds, and notifies their listeners of the loss. */
    @Test
    @ContractRule("CL-1")
    default void closingReleasesAllLocks() throws Exception {
        List<LockName> names = List.of(freshName(), freshName());
        BlockingLocks others = newLocks();
        BlockingLocks locks = newLocks();
        List<LossReason> reported = new CopyOnWriteArrayList<>();
        acquire(locks, names.get(0)).onLost((lease, reason) -> reported.add(reason));
        BlockingLock keptAlive = keepAlive(locks, names.get(1));

        locks.close();

        assertThat(keptAlive.isHeld()).isFalse();
        assertThat(others.tryAcquire(names.get(0), ttl())).isPresent();
        assertThat(others.tryAcquire(names.get(1), ttl())).isPresent();
        Eventually.isTrue("the loss is reported", () -> !reported.isEmpty());
        assertThat(reported).containsExactly(LossReason.CLIENT_CLOSED);
    }

    /** CL-2. A closed client acquires nothing, and neither do calls that were waiting when it was closed. */
    @Test
    @ContractRule("CL-2")
    default void aClosedClientAcquiresNothing() throws Exception {
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        BlockingLocks locks = newLocks();
        BackgroundTask<Optional<BlockingLock>> waiting = BackgroundTask.run(() -> locks.tryAcquire(patient(name)));

        locks.close();
        held.release();

        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(waiting::result)
                .withMessageContaining("closed");
        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> locks.tryAcquire(freshName(), ttl()))
                .withMessageContaining("closed");
        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
    }

    /**
     * CL-3. Closing takes bounded time even if the server does not reply, also while a change stream is open; a lock
     * that could not be released is held until its lease ends.
     */
    @Test
    @ContractRule("CL-3")
    default void closingIsBoundedWhenTheServerDoesNotAnswer() throws Exception {
        LockName name = freshName();
        LockName awaited = freshName();
        // Longer than a busy machine, or a clock that another test moves, can make the wait.
        assertThat(newLocks().tryAcquire(awaited, Duration.ofHours(10))).isPresent();
        BackgroundTask<Optional<BlockingLock>> waiting;
        try (FaultyLocks faulty = newFaultyLocks(true, HANG)) {
            BlockingLock held = keepAlive(faulty.locks(), name);
            waiting = BackgroundTask.run(() -> faulty.locks().tryAcquire(patient(awaited)));
            Eventually.isTrue("it listens, or polls", () -> isSettled(faulty.locks()));
            faulty.stall(Stream.concat(ContractContext.ALL.stream(), Stream.of("getMore", "killCursors"))
                    .toList());

            assertTimeoutPreemptively(faulty.closeTimeout().multipliedBy(5), faulty.locks()::close);

            assertThat(held.loss()).contains(LossReason.CLIENT_CLOSED);
        }
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(waiting::result);
        assertThat(takeOver(newLocks(), name).isHeld()).isTrue();
    }

    private static boolean isSettled(BlockingLocks locks) {
        return !Set.of(State.IDLE, State.OPENING)
                .contains(locks.status().changeStream().state());
    }

    /** CL-4. After closing, no thread of the client is left. */
    @Test
    @ContractRule("CL-4")
    default void noThreadOutlivesTheClient() throws Exception {
        BlockingLocks locks = newLocks();
        BlockingLock held = keepAlive(locks, freshName());
        CopyOnWriteArrayList<LossReason> reported = new CopyOnWriteArrayList<>();
        held.onLost((lease, reason) -> reported.add(reason));
        elapseUntilRenewed(held);

        locks.close();

        Eventually.isTrue("the loss is reported", () -> !reported.isEmpty());
        String client = held.lease().owner().instance();
        Eventually.isTrue(
                "the client's threads end",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().contains(client)));
    }
}
