package org.mongolocks.internal.run;

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
 * The retries of one program after faults: as many, and with such pauses, as the client's {@link Retry} specifies, and
 * not past a deadline. {@link FaultClassifier} alone decides what is a fault; the predicates of the {@link Retry} are
 * evaluated, so that its metrics count, but their result is ignored.
 */
public final class FaultRetry {
    private final Retry retry;
    private final TimeSource time;
    private final long deadlineNanos;
    private Retry.AsyncContext<Object> context;
    private int attempts;

    public FaultRetry(ClientSettings settings, long deadlineNanos) {
        this.retry = settings.faults();
        this.time = settings.time();
        this.deadlineNanos = deadlineNanos;
        this.context = retry.asyncContext();
    }

    /** Returns retries that end after that time from now. */
    public static FaultRetry lasting(ClientSettings settings, Duration time) {
        return new FaultRetry(settings, settings.time().nanoTime() + time.toNanos());
    }

    /**
     * Returns the program to continue with after a fault: the same program after a pause, or another one when the
     * retries are exhausted.
     */
    public <R> Step<R> retryOrElse(Reply.Failed failure, Supplier<Step<R>> same, Supplier<Step<R>> exhausted) {
        if (isFinal(failure.fault())) {
            return exhausted.get();
        }
        long delayMillis = delayMillis(failure.cause());
        Duration delay = Duration.ofMillis(Math.max(0, delayMillis));
        boolean tooLate = time.nanoTime() + delay.toNanos() - deadlineNanos > 0;
        return delayMillis < 0 || tooLate ? exhausted.get() : new Step.Pause<>(delay, same);
    }

    /** Runs a program, with retries after faults, and continues with its result. */
    public <A, R> Step<R> retrying(Supplier<Step<A>> program, Function<A, Step<R>> next) {
        return program.get()
                .then(
                        result -> {
                            reset();
                            return next.apply(result);
                        },
                        failure -> retryOrElse(failure, () -> retrying(program, next), () -> new Step.Fail<>(failure)));
    }

    /** Records that the server gave a definite reply, and resets the count. */
    public void reset() {
        context.onComplete();
        context = retry.asyncContext();
        attempts = 0;
    }

    /** Returns the wait before the next attempt, less than zero if there is none. */
    private long delayMillis(MongoException cause) {
        RetryConfig config = retry.getRetryConfig();
        attempts++;
        long delay = context.onError(cause);
        if (attempts >= config.getMaxAttempts()) {
            return -1;
        }
        return delay >= 0 ? delay : config.getIntervalBiFunction().apply(attempts, Either.left(cause));
    }

    private static boolean isFinal(Fault fault) {
        return fault == Fault.REJECTED || fault == Fault.UNSUPPORTED || fault == Fault.FOREIGN_FORMAT;
    }
}
