package org.mongolocks.internal;

import com.mongodb.MongoException;
import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings;
import org.mongolocks.TimeSource;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * Repeats one program after faults: as often and with such waits as the client's {@link Retry} says, and not past a
 * deadline. What is a fault is decided by {@link Faults}: the predicates of the retry are told, and not asked.
 */
final class FaultRetry {
    private final Retry retry;
    private final TimeSource time;
    private final long deadlineNanos;
    private Retry.AsyncContext<Object> budget;
    private int attempts;

    FaultRetry(ClientSettings settings, long deadlineNanos) {
        this.retry = settings.faults();
        this.time = settings.time();
        this.deadlineNanos = deadlineNanos;
        this.budget = retry.asyncContext();
    }

    /** Repeats for so long from now on. */
    static FaultRetry lasting(ClientSettings settings, Duration patience) {
        return new FaultRetry(settings, settings.time().nanoTime() + patience.toNanos());
    }

    /** Returns the program to go on with after a fault: the same again after a pause, or another when that is enough. */
    <R> Step<R> again(Reply.Failed failure, Supplier<Step<R>> same, Supplier<Step<R>> enough) {
        if (isFinal(failure.fault())) {
            return enough.get();
        }
        long delayMillis = delayMillis(failure.cause());
        Duration delay = Duration.ofMillis(Math.max(0, delayMillis));
        boolean tooLate = time.nanoTime() + delay.toNanos() - deadlineNanos > 0;
        return delayMillis < 0 || tooLate ? enough.get() : new Step.Pause<>(delay, same);
    }

    /** Asks, and asks again after a fault; goes on with the answer. */
    <A, R> Step<R> insist(Supplier<Step<A>> question, Function<A, Step<R>> next) {
        return question.get()
                .fold(
                        answer -> {
                            answered();
                            return next.apply(answer);
                        },
                        failure -> again(failure, () -> insist(question, next), () -> new Step.Fail<>(failure)));
    }

    /** Notes that the server gave a definite answer, and begins to count anew. */
    void answered() {
        budget.onComplete();
        budget = retry.asyncContext();
        attempts = 0;
    }

    /** Returns the wait before the next attempt, less than zero if there is none. */
    private long delayMillis(MongoException cause) {
        RetryConfig config = retry.getRetryConfig();
        attempts++;
        long told = budget.onError(cause);
        if (attempts >= config.getMaxAttempts()) {
            return -1;
        }
        return told >= 0 ? told : config.getIntervalBiFunction().apply(attempts, Either.left(cause));
    }

    private static boolean isFinal(Fault fault) {
        return fault == Fault.REJECTED || fault == Fault.UNSUPPORTED || fault == Fault.FOREIGN_FORMAT;
    }
}
