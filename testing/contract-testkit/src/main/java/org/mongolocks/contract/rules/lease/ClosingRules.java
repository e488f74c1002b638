package org.mongolocks.contract.rules.lease;

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
import org.mongolocks.LossReason;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;

/** Rules CL, closing: a closed client leaves nothing behind, and closing takes bounded time. */
public interface ClosingRules extends ContractContext {
    /** The command timeout of a client whose server hangs: closing does not wait for it. */
    Duration HANG = Duration.ofMinutes(5);

    /**
     * CL-1. Closing a client releases the locks that it holds, and notifies their listeners of the loss.
     *
     * @throws Exception if the rule cannot be checked
     */
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

    /**
     * CL-2. A closed client acquires nothing, and neither do calls that were waiting when it was closed.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("CL-2")
    default void aClosedClientAcquiresNothing() throws Exception {
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        BlockingLocks locks = newLocks();
        BackgroundTask<Optional<BlockingLock>> waiting = BackgroundTask.run(() -> locks.acquire(patient(name)));

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
     *
     * @throws Exception if the rule cannot be checked
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
            waiting = BackgroundTask.run(() -> faulty.locks().acquire(patient(awaited)));
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

    /**
     * CL-4. After closing, no thread of the client is left.
     *
     * @throws Exception if the rule cannot be checked
     */
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
