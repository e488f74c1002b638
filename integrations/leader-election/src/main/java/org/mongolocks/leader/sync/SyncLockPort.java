package org.mongolocks.leader.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.run.DaemonThreads;
import org.mongolocks.leader.internal.LockPort;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.mongolocks.time.Timer;

/**
 * The locks of a synchronous client. Each wait for a lock has a thread of its own, which its cancellation interrupts.
 *
 * @param tasks runs what may block
 */
record SyncLockPort(LockClient locks, Timer timer, Executor tasks) implements LockPort {

    @Override
    public Runnable acquire(LockRequest request, Answer<Optional<RoleLock>> answer) {
        CallerLoader caller = CallerLoader.ofThisThread();
        Thread waiter = DaemonThreads.thread(
                "mongo-locks-leader-candidate-" + request.name(),
                () -> caller.run(() -> answer(() -> acquire(request), answer)));
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

    /** An interrupted call has no result, and leaves nothing behind. */
    private static <T> void answer(Callable<Optional<T>> call, Answer<Optional<T>> answer) {
        Optional<T> result;
        try {
            result = call.call();
        } catch (InterruptedException | LockInterruptedException e) {
            result = Optional.empty();
        } catch (Exception | Error e) {
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
                try {
                    lock.close();
                } finally {
                    then.run();
                }
            });
        }
    }
}
