package org.mongolocks.internal.settings;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How often a client retries after a fault, and with which waits: a {@link Retry} of the user, which counts each operation,
 * or one of the client, which nobody reads, and which the first fault creates. Thread-safe.
 */
public final class FaultPolicy {
    private final boolean isOfUser;
    private final Supplier<Retry> creation;
    private volatile @Nullable Retry created;

    private FaultPolicy(boolean isOfUser, Supplier<Retry> creation) {
        this.isOfUser = isOfUser;
        this.creation = creation;
    }

    public static FaultPolicy ofUser(Retry retry) {
        return new FaultPolicy(true, () -> retry);
    }

    static FaultPolicy own(int attempts, IntervalFunction backoff) {
        return new FaultPolicy(
                false,
                () -> Retry.of(
                        "mongo-locks",
                        RetryConfig.custom()
                                .maxAttempts(attempts)
                                .intervalFunction(backoff)
                                .build()));
    }

    /** Returns the retry; two threads that ask first may get two that are equal. */
    public Retry retry() {
        Retry known = created;
        if (known == null) {
            known = creation.get();
            created = known;
        }
        return known;
    }

    /** Counts an operation without a fault. */
    public void succeeded() {
        if (isOfUser) {
            retry().asyncContext().onComplete();
        }
    }
}
