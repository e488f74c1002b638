package org.mongolocks.spring;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockName;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * The lock of the method under {@link Locked} that runs on this thread. {@link CurrentReactiveLock} is its counterpart
 * for publishers.
 *
 * <p>Other threads do not see it, so a method that returns a {@code CompletionStage} calls {@link #get()} before it
 * starts its work.
 */
public final class CurrentLock {
    private static final ThreadLocal<@Nullable Entry> INNERMOST = new ThreadLocal<>();

    private CurrentLock() {}

    /** A lock that guards the work of this thread, and the count of the transactions that the work has committed. */
    private record Entry(
            LockClient client,
            HeldLock lock,
            AtomicInteger commits,
            @Nullable Entry outer) {}

    /**
     * Returns the lock of the innermost method under {@link Locked} on this thread: its fencing token, and what is left
     * of its lease. No round trip. Do not release it.
     *
     * @return the held lock; it may have been lost meanwhile
     * @throws IllegalStateException if no such method runs on this thread, for example because the method was called
     *     through {@code this} and so was not intercepted
     */
    public static HeldLock get() {
        Entry entry = INNERMOST.get();
        if (entry == null) {
            throw new IllegalStateException(
                    "No lock guards this thread: @Locked works only for calls through the Spring bean, not through"
                            + " this");
        }
        return entry.lock();
    }

    /** Returns the lock with that name, if it guards this thread. */
    static Optional<HeldLock> find(LockClient client, LockName name) {
        for (Entry entry = INNERMOST.get(); entry != null; entry = entry.outer()) {
            HeldLock lock = entry.lock();
            if (entry.client() == client && lock.lease().name().equals(name) && lock.isHeld()) {
                return Optional.of(lock);
            }
        }
        return Optional.empty();
    }

    /** Returns a lock that guards this thread and is lost. */
    static Optional<HeldLock> findLost() {
        for (Entry entry = INNERMOST.get(); entry != null; entry = entry.outer()) {
            if (!entry.lock().isHeld() && entry.lock().loss().isPresent()) {
                return Optional.of(entry.lock());
            }
        }
        return Optional.empty();
    }

    /** Counts a transaction that this thread has committed. */
    static void countCommit() {
        for (Entry entry = INNERMOST.get(); entry != null; entry = entry.outer()) {
            entry.commits().incrementAndGet();
        }
    }

    /** Calls a method as the work of a lock, and counts the transactions that it commits. */
    static @Nullable Object proceed(
            LockClient client, HeldLock lock, AtomicInteger commits, MethodInvocation invocation) throws Throwable {
        Entry outer = INNERMOST.get();
        INNERMOST.set(new Entry(client, Objects.requireNonNull(lock), commits, outer));
        try {
            return invocation.proceed();
        } finally {
            if (outer == null) {
                INNERMOST.remove();
            } else {
                INNERMOST.set(outer);
            }
        }
    }
}
