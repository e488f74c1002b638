package org.mongolocks.internal.hold;

import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.MongoClientException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientClosedException;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.internal.hold.Hold.ForgottenHandle;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.time.Timer;

/**
 * The releases of one client. A caller sends its own; the client sends the others, and repeats them with pauses as for
 * renewals. Thread-safe.
 *
 * <pre>
 * release of                       first sent      repeated until
 * ------------------------------   -------------   -------------------------------------------
 * a caller                         by the caller   answered, or the lease ends
 * a handle that was not released   at once         as that of a caller
 * a client that is closed          at once         answered, or the time for closing is over
 * </pre>
 *
 * When the client is closed, several locks are released by one command, or one by one if the strategy or the server
 * refuses that; after a fault each half by itself, because the document of one lock may be blocked. A lock with an open
 * transaction is released by itself, because its release waits for the end of the transaction, and so is one that stays
 * held for a minimum.
 */
final class ReleaseQueue {
    /** If there are more, the server has been unreachable for long; they stay held until their ttl has passed. */
    private static final int MAX_LOCKS = 1_000;
    /** No attempt begins in this last part of the time for closing. */
    private static final Duration LAST_PART = Duration.ofMillis(100);

    private static final Reply.Failed ONE_BY_ONE =
            new Reply.Failed(Fault.UNSUPPORTED, new MongoClientException("Several locks need a release each"));
    private static final Reply.Failed NOT_BEGUN =
            new Reply.Failed(Fault.NOT_SENT, new MongoClientException("The release could not begin"));

    private final ClientSettings settings;
    private final Timer timer;
    private final BackgroundRunner background;
    private final Set<Hold> unanswered = new LinkedHashSet<>();
    private final BiFunction<LockName, Step<Boolean>, Step<Boolean>> wakingWaiters;
    private CompletableFuture<Void> allAnswered = new CompletableFuture<>();
    private boolean isClosing;
    private long endNanos;
    private int failed;
    private @Nullable String firstFailure;

    /**
     * Creates an empty queue.
     *
     * @param wakingWaiters returns a program that runs a release, and then wakes the waiters of this client
     */
    ReleaseQueue(
            ClientSettings settings,
            Timer timer,
            BackgroundRunner background,
            BiFunction<LockName, Step<Boolean>, Step<Boolean>> wakingWaiters) {
        this.settings = settings;
        this.timer = timer;
        this.background = background;
        this.wakingWaiters = wakingWaiters;
    }

    /** Begins the release of a caller, and returns the program that sends it. */
    Step<Boolean> ofCaller(Hold hold) {
        return wakingWaiters.apply(hold.name(), hold.releaseProgram(settings));
    }

    /** Repeats a release that got no reply; its caller may have no handle of the lock any more. */
    void repeat(Hold hold) {
        boolean closes;
        synchronized (this) {
            closes = isClosing;
            if ((!closes && unanswered.size() >= MAX_LOCKS) || !unanswered.add(hold)) {
                return;
            }
        }
        Attempt attempt = new Attempt(List.of(hold), 0, closes);
        if (closes) {
            attempt.repeatWhileClosing(NOT_BEGUN);
        } else {
            attempt.repeatWhileOpen();
        }
    }

    /** The cleaner's thread, which all clients of this JVM share, neither logs nor sends. */
    void ofForgotten(Hold hold, ForgottenHandle handle) {
        Timer.Timeout unused = timer.schedule(Duration.ZERO, () -> sendForgotten(hold, handle));
    }

    private void sendForgotten(Hold hold, ForgottenHandle handle) {
        CompletableFuture<Void> unused = background
                .run("Releasing", hold.name(), () -> {
                    BackgroundLog.log(
                            WARNING,
                            hold + " was kept alive, and a handle of it" + handle.acquiredAt()
                                    + " was garbage-collected without a release"
                                    + (handle.isLast() ? ": releasing it" : ": it has other handles"));
                    return handle.isLast() ? ofCaller(hold) : Step.done(true);
                })
                .handle((done, error) -> {
                    if (handle.isLast()) {
                        if (error != null && !hold.recordReleaseFailed()) {
                            hold.logReleaseFailed("", error);
                        }
                        handle.released().run();
                    }
                    return null;
                });
    }

    /** Releases locks that are held, and those whose release got no reply, for at most that time from now. */
    void close(List<Hold> held, Duration limit) {
        List<Hold> alone;
        List<Hold> together;
        synchronized (this) {
            isClosing = true;
            endNanos = settings.time().nanoTime() + limit.toNanos();
            unanswered.removeIf(hold -> !hold.needsReleaseAgain());
            unanswered.addAll(held);
            alone = unanswered.stream()
                    .filter(hold -> hold.gate().isClosed() || hold.isMinimumLeft())
                    .toList();
            together = without(alone, unanswered);
        }
        sendAll(Stream.concat(HoldRegistry.batches(together), HoldRegistry.batches(alone, 1)), 0);
    }

    /** Completes when no release is left to be answered or repeated; it never fails. */
    synchronized CompletableFuture<Void> ended() {
        return unanswered.isEmpty() ? CompletableFuture.completedFuture(null) : allAnswered;
    }

    /** Returns how many locks are left to be released, or could not be released when the client was closed. */
    synchronized int unreleased() {
        return failed + unanswered.size();
    }

    /** Returns whether a lock is still to be released, by this client that is open; otherwise forgets it. */
    private synchronized boolean retainUnanswered(Hold hold) {
        if (!isClosing && !hold.needsReleaseAgain()) {
            unanswered.remove(hold);
        }
        return !isClosing && unanswered.contains(hold);
    }

    private void sendAll(Stream<List<Hold>> groups, int attempts) {
        sendAll(groups.map(group -> new Attempt(group, attempts, true)).toList().iterator());
    }

    /** After an error of one, for example when no thread can be created, the others are sent nevertheless. */
    private static void sendAll(Iterator<Attempt> left) {
        try {
            left.forEachRemaining(Attempt::send);
        } finally {
            if (left.hasNext()) {
                sendAll(left);
            }
        }
    }

    /** Ends the releases of some locks while the client is closed; an error is logged at the end of all, with their number. */
    private void end(List<Hold> holds, Optional<String> error) {
        CompletableFuture<Void> all = new CompletableFuture<>();
        Optional<String> report = Optional.empty();
        synchronized (this) {
            holds.forEach(unanswered::remove);
            if (error.isPresent()) {
                failed += holds.size();
                firstFailure = firstFailure == null ? holds.get(0) + ": " + error.get() : firstFailure;
            }
            if (unanswered.isEmpty()) {
                report = Optional.ofNullable(firstFailure);
                firstFailure = null;
                all = allAnswered;
                allAnswered = new CompletableFuture<>();
            }
        }
        report.ifPresent(first -> BackgroundLog.log(
                WARNING,
                unreleased()
                        + " locks could not be released when their client was closed, and stay held until their ttl"
                        + " has passed. " + first));
        all.complete(null);
    }

    private static List<Hold> without(List<Hold> some, Iterable<Hold> all) {
        Set<Hold> left = new LinkedHashSet<>();
        all.forEach(left::add);
        some.forEach(left::remove);
        return List.copyOf(left);
    }

    /** One release without a caller: of a lock by itself, or of some locks by one command while the client is closed. */
    private final class Attempt {
        private final List<Hold> holds;
        private final Hold first;
        private final int before;
        private final boolean closes;

        Attempt(List<Hold> holds, int before, boolean closes) {
            this.holds = holds;
            this.first = holds.get(0);
            this.before = before;
            this.closes = closes;
        }

        void send() {
            CompletableFuture<Optional<Reply.Failed>> release =
                    CompletableFuture.completedFuture(Optional.of(NOT_BEGUN));
            try {
                release = background.run(
                        "Releasing",
                        first.name(),
                        () -> program()
                                .then(done -> Step.done(Optional.empty()), failure -> Step.done(Optional.of(failure))));
            } finally {
                CompletableFuture<Void> unused = release.handle((failure, error) -> {
                    if (!closes) {
                        first.recordRepetitionFailed();
                        repeatWhileOpen();
                    } else if (error != null) {
                        Optional<String> text = Optional.of(error.toString());
                        end(holds, text.filter(e -> !(error instanceof ClientClosedException)));
                    } else {
                        failure.ifPresentOrElse(this::failed, () -> end(holds, Optional.empty()));
                    }
                    return null;
                });
            }
        }

        private Step<Boolean> program() {
            if (!closes) {
                return wakingWaiters.apply(first.name(), first.releaseAgain(settings));
            }
            return holds.size() == 1
                    ? first.releaseOperation(settings).start()
                    : FaultRetry.lasting(settings, settings.commandTimeout()).retrying(this::together, Step::done);
        }

        private Step<Boolean> together() {
            List<Lease> leases = holds.stream().map(Hold::lease).toList();
            return settings.strategy().releaseAll(leases).orElseGet(() -> new Step.Fail<>(ONE_BY_ONE));
        }

        /** A driver's client that is closed was logged once for all locks. */
        private void failed(Reply.Failed failure) {
            if (ClientRuns.isDriverClosed(failure)) {
                end(holds, Optional.empty());
            } else if (RenewalAttempt.Failed.isWithoutReply(failure)) {
                repeatWhileClosing(failure);
            } else if (holds.size() > 1) {
                sendAll(HoldRegistry.batches(holds, 1), 0);
            } else {
                end(holds, Optional.of(failure.fault() + ": " + failure.cause().getMessage()));
            }
        }

        private void repeatWhileOpen() {
            if (retainUnanswered(first)) {
                Attempt next = new Attempt(holds, before + 1, false);
                Timer.Timeout unused = timer.schedule(backoff(), () -> {
                    if (retainUnanswered(first)) {
                        next.send();
                    }
                });
            }
        }

        /** A lock whose lease has ended needs no release. */
        private void repeatWhileClosing(Reply.Failed failure) {
            long now = settings.time().nanoTime();
            List<Hold> ended = holds.stream()
                    .filter(hold -> hold.validUntilNanos() - now <= 0)
                    .toList();
            end(ended, Optional.empty());
            List<Hold> held = without(ended, holds);
            Duration left = Duration.ofNanos(endNanos - now);
            if (held.isEmpty()) {
                return;
            }
            if (left.compareTo(LAST_PART) < 0) {
                end(held, Optional.of(failure.fault() + ": " + failure.cause().getMessage()));
            } else {
                Timer.Timeout unused = timer.schedule(
                        Durations.shorter(backoff(), left.dividedBy(2)),
                        () -> sendAll(HoldRegistry.batches(held, (held.size() + 1) / 2), before + 1));
            }
        }

        private Duration backoff() {
            return Duration.ofMillis(settings.holding().renewalBackoff().apply(before + 1));
        }
    }
}
