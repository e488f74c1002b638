package org.mongolocks.leader.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.internal.run.DaemonThreads;
import org.mongolocks.leader.internal.LockPort;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * The locks of a synchronous client. Each wait for a lock has a thread of its own, which its cancellation interrupts.
 *
 * @param tasks runs what may block
 */
record SyncLockPort(LockClient locks, Timer timer, Executor tasks) implements LockPort {

    @Override
    public Runnable acquire(LockRequest request, Answer<Optional<RoleLock>> answer) {
        Thread waiter = DaemonThreads.thread(
                "mongo-locks-leader-candidate-" + request.name(), () -> answer(() -> acquire(request), answer));
        waiter.start();
        return waiter::interrupt;
    }

    private Optional<RoleLock> acquire(LockRequest request) throws InterruptedException {
        return locks.tryAcquire(request).map(lock -> new HeldRole(lock, tasks));
    }

    @Override
    public void inspect(LockName role, Answer<Optional<LockSnapshot>> answer) {
        tasks.execute(() -> answer(() -> locks.inspect(role), answer));
    }

    /** A call of the client. */
    @FunctionalInterface
    private interface Call<T> {
        Optional<T> run() throws InterruptedException;
    }

    /** An interrupted call has no result, and leaves nothing behind. */
    private static <T> void answer(Call<T> call, Answer<Optional<T>> answer) {
        Optional<T> result;
        try {
            result = call.run();
        } catch (InterruptedException | LockInterruptedException e) {
            result = Optional.empty();
        } catch (RuntimeException e) {
            answer.failed(e);
            return;
        }
        answer.done(result);
    }

    /** The lock of a role. */
    private record HeldRole(HeldLock lock, Executor tasks) implements RoleLock {
        @Override
        public long fencingToken() {
            return lock.fencingToken();
        }

        @Override
        public Duration remaining() {
            return lock.isHeld() ? lock.remaining() : Duration.ZERO;
        }

        @Override
        public Optional<LossReason> loss() {
            return lock.loss();
        }

        @Override
        public void watch(List<Duration> remaining, Runnable check) {
            lock.onLost((lease, reason) -> check.run());
            remaining.forEach(left -> lock.onEndangered(left, (lease, time) -> check.run()));
        }

        @Override
        public void interruptOnLoss() {
            lock.interruptOnLoss();
        }

        @Override
        public void release(Runnable then) {
            tasks.execute(() -> {
                lock.close();
                then.run();
            });
        }
    }
}
