package org.mongolocks.spring;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.HeldLock.LockedAction;
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
        Work work = new Work(invocation);
        try {
            return work.call(method);
        } catch (RuntimeException | InterruptedException e) {
            if (work.hasStarted || !method.isSkippedAfter(e)) {
                throw e;
            }
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return method.nothing(invocation);
        }
    }

    /** Returns the lock if it guards this thread, in an annotated method or in work of the client. */
    private static Optional<HeldLock> entered(LockClient client, LockRequest request) {
        return CurrentLock.find(client, request.name()).or(() -> client.currentLock(request.name()));
    }

    /** A call of a method under a lock. */
    private static final class Work {
        private final MethodInvocation invocation;
        private final AtomicInteger commits = new AtomicInteger();
        /** Whether the method or its fallback was called. */
        private boolean hasStarted;

        private @Nullable Object result;

        Work(MethodInvocation invocation) {
            this.invocation = invocation;
        }

        @Nullable
        Object call(LockedMethod method) throws Throwable {
            LockClient client = method.client(LockClient.class);
            LockRequest request = method.request(invocation, client::request);
            Optional<HeldLock> entered = entered(client, request);
            if (entered.isPresent()) {
                hasStarted = true;
                return CurrentLock.proceed(client, entered.get(), new AtomicInteger(), invocation);
            }
            boolean done;
            try {
                done = runUnder(client, request, method.throwsWhenContended());
            } catch (InterruptedException e) {
                throw hasStarted || method.declares(InterruptedException.class) ? e : interrupted(request.name(), e);
            } catch (LockLostException e) {
                throw withEffects(e);
            }
            hasStarted = true;
            return done ? result : method.otherwise(invocation);
        }

        /** Returns false if the lock was contended, and the method was not called. */
        private boolean runUnder(LockClient client, LockRequest request, boolean throwsWhenContended) throws Exception {
            LockedAction<Exception> work = lock -> {
                hasStarted = true;
                result = proceed(client, lock, commits, invocation);
            };
            if (throwsWhenContended) {
                client.withLock(request, work);
                return true;
            }
            return client.tryWithLock(request, work);
        }

        /** Returns the exception for a loss, which says whether a transaction of the method was committed. */
        private LockLostException withEffects(LockLostException lost) {
            int count = commits.get();
            return count == 0
                    ? lost
                    : lost.withEffects((count == 1 ? "1 transaction" : count + " transactions")
                            + " of it had been committed before the loss was noticed: do not repeat it unchecked");
        }
    }

    /** Checks the attributes of a method with the defaults of its client. */
    void requireTerms(LockedMethod method, Object client) {
        method.requireTerms(((LockClient) client)::request);
    }

    /** Calls a method whose work ends with the stage that it returns. What fails before the call fails the stage. */
    @Nullable
    CompletionStage<?> stage(LockedMethod method, MethodInvocation invocation) throws Throwable {
        LockClient client;
        Optional<HeldLock> acquired;
        try {
            client = method.client(LockClient.class);
            acquired = acquire(client, method, method.request(invocation, client::request));
        } catch (RuntimeException e) {
            return method.isSkippedAfter(e)
                    ? (CompletionStage<?>) method.nothing(invocation)
                    : CompletableFuture.failedFuture(e);
        }
        return acquired.isPresent()
                ? startUnder(client, acquired.get(), invocation)
                : (CompletionStage<?>) method.otherwise(invocation);
    }

    private static Optional<HeldLock> acquire(LockClient client, LockedMethod method, LockRequest request) {
        if (entered(client, request).isPresent()) {
            throw new IllegalStateException("Lock '" + request.name() + "' is held by this very thread, and " + method
                    + " cannot enter it again: the stage that it returns could outlast the lock");
        }
        try {
            return method.throwsWhenContended() ? Optional.of(client.acquire(request)) : client.tryAcquire(request);
        } catch (InterruptedException e) {
            throw interrupted(request.name(), e);
        }
    }

    private @Nullable CompletionStage<?> startUnder(LockClient client, HeldLock lock, MethodInvocation invocation)
            throws Exception {
        CompletionStage<?> started = null;
        try {
            started = (CompletionStage<?>) proceed(client, lock, new AtomicInteger(), invocation);
        } finally {
            if (started == null) {
                lock.close();
            }
        }
        return started == null ? null : whileHeld(lock, started);
    }

    /** Returns a stage that completes when the lock has been released, or when it is lost. */
    private CompletableFuture<@Nullable Object> whileHeld(HeldLock lock, CompletionStage<?> work) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        // However the stage of the caller ends, the work ends with it.
        CompletableFuture<@Nullable Object> unused = result.whenComplete((value, error) -> cancel(work));
        lock.onLost((lease, reason) -> lock.lossException().ifPresent(result::completeExceptionally));
        // The stage keeps the handle, without which the lock would be released.
        work.whenComplete((value, error) -> releases.execute(() -> end(lock, value, error, result)));
        return result;
    }

    private static void cancel(CompletionStage<?> work) {
        if (work instanceof Future<?> future) {
            try {
                future.cancel(true);
            } catch (UnsupportedOperationException e) {
                // As a CompletableFuture.minimalCompletionStage does: its work goes on.
                LOG.log(DEBUG, "The work of a @Locked method cannot be cancelled", e);
            }
        }
    }

    private static void end(
            HeldLock lock,
            @Nullable Object value,
            @Nullable Throwable error,
            CompletableFuture<@Nullable Object> result) {
        Optional<LockLostException> lost = release(lock);
        if (error != null) {
            lost.ifPresent(error::addSuppressed);
            result.completeExceptionally(error);
        } else if (lost.isPresent()) {
            result.completeExceptionally(lost.get());
        } else {
            result.complete(value);
        }
    }

    /** Returns the exception for a lock that was lost before. */
    private static Optional<LockLostException> release(HeldLock lock) {
        try {
            return lock.release() ? Optional.empty() : lock.lossException();
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
    private static @Nullable Object proceed(
            LockClient client, HeldLock lock, AtomicInteger commits, MethodInvocation invocation) throws Exception {
        try {
            return CurrentLock.proceed(client, lock, commits, invocation);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    private static LockException interrupted(LockName name, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new LockInterruptedException("Acquiring lock '" + name + "'", Optional.of(name), e);
    }
}
