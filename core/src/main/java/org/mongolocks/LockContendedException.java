package org.mongolocks;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.base.Durations;

/**
 * An exception thrown by the methods that insist on a lock, when another owner held it all the time. Nothing was done.
 * The methods that return a boolean, an {@code Optional} or an empty {@code Mono} do not throw it.
 *
 * <p>The message names the holder as the server last showed it, for example {@code Lock 'invoice-42' is held by batch-7
 * (pid 4711, thread main) for 9.6 s more}. A renewal makes that longer, a release shorter. A free lock is contended as long
 * as others wait for it.
 */
public final class LockContendedException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int TENTH_OF_A_SECOND = 100;

    private final transient @Nullable LockSnapshot holder;

    /**
     * Creates the exception.
     *
     * @param name the name of the lock
     * @param holder the lock as the server last showed it
     * @param isOwnThread whether the calling thread itself holds it
     * @param waitAtMost how long the acquisition would have waited
     */
    public LockContendedException(LockName name, LockSnapshot holder, boolean isOwnThread, Duration waitAtMost) {
        super(
                "Lock '" + name + "' " + message(holder, isOwnThread)
                        + (isOwnThread
                                ? "; a thread enters it again only if both requests are of asLock(), or of"
                                        + " reentrant(owner) with the same owner"
                                : "; waitAtMost was " + Durations.text(waitAtMost)),
                null,
                Optional.of(name),
                true);
        this.holder = holder;
    }

    /**
     * Returns the lock as the server last showed it, for logs and operators. It may have changed since.
     *
     * @return the holder and the rest of its lease; empty if the lock is free and others wait for it, if the holder is not
     *     known, or if this exception was deserialized
     */
    public Optional<LockSnapshot> holder() {
        return Optional.ofNullable(holder).filter(LockSnapshot::isHeld);
    }

    private static String message(LockSnapshot holder, boolean isOwnThread) {
        if (!holder.isHeld() && holder.waiters() > 0) {
            return "is free, but others wait for it and come first";
        }
        if (!holder.isHeld()) {
            return "is contended; its present holder is not known, or the reply to a grant took longer than the ttl";
        }
        String left = holder.remaining()
                .map(LockContendedException::seconds)
                .map(seconds -> "; its lease ends in " + seconds + " s unless it is renewed")
                .orElse("");
        return "is held by " + (isOwnThread ? "this very thread" : describe(holder)) + left;
    }

    private static String describe(LockSnapshot lock) {
        HolderInfo info = lock.holderInfo();
        String details = Stream.of(
                        info.processId().stream().mapToObj(pid -> "pid " + pid),
                        info.thread().stream().map(thread -> "thread " + thread),
                        info.note().stream().map(note -> "note '" + note + "'"))
                .flatMap(found -> found)
                .collect(Collectors.joining(", "));
        String holder = info.host().or(lock::holder).orElse("another owner");
        return details.isEmpty() ? holder : holder + " (" + details + ")";
    }

    /** Rounds up: a lock that is held for 40 ms more is not free yet. */
    private static String seconds(Duration left) {
        long tenths = (left.toMillis() + TENTH_OF_A_SECOND - 1) / TENTH_OF_A_SECOND;
        return tenths / 10 + "." + tenths % 10;
    }
}
