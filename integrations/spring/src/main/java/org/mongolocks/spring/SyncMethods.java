package org.mongolocks.spring;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Calls of methods that block, or return a stage, under locks of a synchronous client. Thread-safe. */
final class SyncMethods {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final Executor releases;

    SyncMethods(Executor releases) {
        this.releases = releases;
    }

    /** Calls a method whose work ends with its return. */
    @Nullable
    Object call(LockedMethod method, MethodInvocation invocation) throws Throwable {
        LockClient client = method.client(LockClient.class);
        LockRequest request = method.request(invocation, client::request);
        Optional<HeldLock> entered = CurrentLock.find(client, request.name());
        if (entered.isPresent()) {
            return CurrentLock.proceed(client, entered.get(), invocation);
        }
        Work work = new Work(client, invocation);
        boolean done;
        try {
            done = work.runUnder(request, method.throwsWhenContended());
        } catch (InterruptedException e) {
            throw work.hasStarted || method.declares(InterruptedException.class) ? e : interrupted(request.name(), e);
        }
        return done ? work.result : method.otherwise(invocation);
    }

    /** A call of a method under a lock. */
    private static final class Work {
        private final LockClient client;
        private final MethodInvocation invocation;
        private boolean hasStarted;
        private @Nullable Object result;

        Work(LockClient client, MethodInvocation invocation) {
            this.client = client;
            this.invocation = invocation;
        }

        /** Returns false if the lock was contended, and the method was not called. */
        boolean runUnder(LockRequest request, boolean throwsWhenContended) throws Exception {
            if (throwsWhenContended) {
                return client.call(request, lock -> {
                    run(lock);
                    return true;
                });
            }
            return client.withLock(request, this::run);
        }

        private void run(HeldLock lock) throws Exception {
            hasStarted = true;
            lock.interruptOnLoss();
            result = proceed(client, lock, invocation);
        }
    }

    /** Calls a method whose work ends with the stage that it returns. */
    @Nullable
    CompletionStage<?> stage(LockedMethod method, MethodInvocation invocation) throws Throwable {
        LockClient client = method.client(LockClient.class);
        LockRequest request = method.request(invocation, client::request);
        if (CurrentLock.find(client, request.name()).isPresent()) {
            throw new IllegalStateException("Lock '" + request.name() + "' is held by this very thread, and " + method
                    + " cannot enter it again: the stage that it returns could outlast the lock");
        }
        Optional<HeldLock> acquired;
        try {
            acquired = method.throwsWhenContended()
                    ? Optional.of(client.acquireOrThrow(request))
                    : client.acquire(request);
        } catch (InterruptedException e) {
            return CompletableFuture.failedFuture(interrupted(request.name(), e));
        } catch (LockException e) {
            return CompletableFuture.failedFuture(e);
        }
        return acquired.isPresent()
                ? startUnder(client, acquired.get(), invocation)
                : (CompletionStage<?>) method.otherwise(invocation);
    }

    private @Nullable CompletionStage<?> startUnder(LockClient client, HeldLock lock, MethodInvocation invocation)
            throws Exception {
        CompletionStage<?> started = null;
        try {
            started = (CompletionStage<?>) proceed(client, lock, invocation);
        } finally {
            if (started == null) {
                lock.close();
            }
        }
        return started == null ? null : whileHeld(lock, started);
    }

    /** Returns a stage that completes when the lock has been released, or when it is lost. */
    private CompletableFuture<@Nullable Object> whileHeld(HeldLock lock, CompletionStage<?> work) {
        LockedStage result = new LockedStage(work);
        lock.onLost((lease, reason) -> {
            result.completeExceptionally(new LockLostException(lease.name(), reason));
            result.cancelWork();
        });
        // The stage keeps the handle, without which the lock would be released.
        work.whenComplete((value, error) -> releases.execute(() -> end(lock, value, error, result)));
        return result;
    }

    /** The stage that a caller gets. Its cancellation cancels the work. */
    private static final class LockedStage extends CompletableFuture<@Nullable Object> {
        private final CompletionStage<?> work;

        LockedStage(CompletionStage<?> work) {
            this.work = work;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean isCancelled = super.cancel(mayInterruptIfRunning);
            if (isCancelled) {
                cancelWork();
            }
            return isCancelled;
        }

        void cancelWork() {
            if (work instanceof Future<?> future) {
                try {
                    future.cancel(true);
                } catch (UnsupportedOperationException e) {
                    // As a CompletableFuture.minimalCompletionStage does: its work goes on.
                    LOG.log(DEBUG, "The work of a @Locked method cannot be cancelled", e);
                }
            }
        }
    }

    private static void end(
            HeldLock lock,
            @Nullable Object value,
            @Nullable Throwable error,
            CompletableFuture<@Nullable Object> result) {
        Optional<LockLostException> lost =
                release(lock).map(reason -> new LockLostException(lock.lease().name(), reason));
        if (error != null) {
            lost.ifPresent(error::addSuppressed);
            result.completeExceptionally(error);
        } else if (lost.isPresent()) {
            result.completeExceptionally(lost.get());
        } else {
            result.complete(value);
        }
    }

    /** Returns why the lock was lost before. */
    private static Optional<LossReason> release(HeldLock lock) {
        try {
            return lock.release() ? Optional.empty() : lock.loss();
        } catch (RuntimeException e) {
            LOG.log(
                    WARNING,
                    lock
                            + " could not be released after the work; it is held until the server answers or its ttl has passed: "
                            + e);
            return Optional.empty();
        }
    }

    /** Calls the method; what it throws is an exception or an error, unless it was compiled for another language. */
    private static @Nullable Object proceed(LockClient client, HeldLock lock, MethodInvocation invocation)
            throws Exception {
        try {
            return CurrentLock.proceed(client, lock, invocation);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    private static LockException interrupted(LockName name, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new LockException(
                "Acquiring lock '" + name + "' was interrupted; nothing was done", e, Optional.of(name), true);
    }
}
