package org.mongolocks.leader.reactive;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.leader.internal.LockPort;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.time.Timer;
import reactor.core.Disposable;
import reactor.util.context.ContextView;

/** The locks of a reactive client, for one subscriber, whose context each request sees. */
record ReactiveLockPort(ReactiveLockClient locks, Timer timer, ContextView context) implements LockPort {

    /** A lock that is granted at the moment of a cancellation is released. */
    @Override
    public Runnable acquire(LockRequest request, Answer<Optional<RoleLock>> answer) {
        AtomicBoolean answered = new AtomicBoolean();
        Runnable without = () -> {
            if (!answered.getAndSet(true)) {
                answer.done(Optional.empty());
            }
        };
        Disposable subscription = locks.tryAcquire(request)
                .doOnNext(lock -> {
                    RoleLock role = new HeldRole(lock, context);
                    if (answered.getAndSet(true)) {
                        role.release(() -> {});
                    } else {
                        answer.done(Optional.of(role));
                    }
                })
                .contextWrite(context)
                .subscribe(
                        lock -> {},
                        error -> {
                            if (!answered.getAndSet(true)) {
                                answer.failed(error);
                            }
                        },
                        without);
        return () -> {
            subscription.dispose();
            without.run();
        };
    }

    @Override
    public void inspect(LockName role, Answer<Optional<LockSnapshot>> answer) {
        var unused = locks.inspect(role)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .contextWrite(context)
                .subscribe(answer::done, answer::failed);
    }

    /** The lock of a role. */
    private record HeldRole(ReactiveHeldLock lock, ContextView context) implements RoleLock {
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
            var unused = lock.close()
                    .doFinally(signal -> then.run())
                    .contextWrite(context)
                    .subscribe();
        }
    }
}
