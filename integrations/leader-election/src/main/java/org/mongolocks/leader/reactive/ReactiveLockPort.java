package org.mongolocks.leader.reactive;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.leader.internal.LockPort;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import reactor.core.Disposable;

/** The locks of a reactive client. */
record ReactiveLockPort(ReactiveLockClient locks, Timer timer) implements LockPort {

    @Override
    public Runnable acquire(LockRequest request, Answer<Optional<RoleLock>> answer) {
        Waiting waiting = new Waiting(answer);
        Disposable subscription = locks.tryAcquire(request)
                .doOnNext(lock -> waiting.granted(new HeldRole(lock)))
                .subscribe(lock -> {}, waiting::failed, waiting::ended);
        return () -> {
            subscription.dispose();
            waiting.ended();
        };
    }

    @Override
    public void inspect(LockName role, Answer<Optional<LockSnapshot>> answer) {
        var unused = locks.inspect(role)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .subscribe(answer::done, error -> answer.failed(exception(error)));
    }

    private static RuntimeException exception(Throwable error) {
        return error instanceof RuntimeException known
                ? known
                : new LockException("A request for a role failed", error);
    }

    /**
     * A wait for a lock, which is answered once. A lock that is granted at the moment of a cancellation is released.
     */
    private static final class Waiting {
        private final Answer<Optional<RoleLock>> answer;
        private final AtomicBoolean isOver = new AtomicBoolean();

        Waiting(Answer<Optional<RoleLock>> answer) {
            this.answer = answer;
        }

        void granted(RoleLock lock) {
            if (isOver.getAndSet(true)) {
                lock.release(() -> {});
            } else {
                answer.done(Optional.of(lock));
            }
        }

        void failed(Throwable error) {
            if (!isOver.getAndSet(true)) {
                answer.failed(exception(error));
            }
        }

        void ended() {
            if (!isOver.getAndSet(true)) {
                answer.done(Optional.empty());
            }
        }
    }

    /** The lock of a role. */
    private record HeldRole(ReactiveHeldLock lock) implements RoleLock {
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
        public void release(Runnable then) {
            var unused = lock.close().doFinally(signal -> then.run()).subscribe();
        }
    }
}
