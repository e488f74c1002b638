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
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientClosedException;
import org.mongolocks.Lease;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.LeaseTimes;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.time.Timer;

/**
 * The releases that one client sends without a caller: those that got no reply, whose caller may have no handle of the lock
 * any more, and those of the locks that it holds when it is closed. Each is repeated with pauses as for renewals, until one
 * is answered, the lease ends, or the time for closing is over. Thread-safe.
 *
 * <p>When the client is closed, several locks are released by one command, or one by one if the strategy or the server
 * refuses that; after a fault each half by itself, because the document of one lock may be blocked. A lock with an open
 * transaction is released by itself, because its release waits for the end of the transaction, and so is one that stays
 * held for a minimum.
 */
final class RepeatedReleases {
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
    private final Function<Hold, Step<Boolean>> program;
    private final Set<Hold> unanswered = new LinkedHashSet<>();
    private CompletableFuture<Void> allAnswered = new CompletableFuture<>();
    private boolean isClosing;
    private long endNanos;
    private int failed;
    private @Nullable String firstFailure;

    RepeatedReleases(
            ClientSettings settings, Timer timer, BackgroundRunner background, Function<Hold, Step<Boolean>> program) {
        this.settings = settings;
        this.timer = timer;
        this.background = background;
        this.program = program;
    }

    void add(Hold hold) {
        boolean closes;
        synchronized (this) {
            closes = isClosing;
            if ((!closes && unanswered.size() >= MAX_LOCKS) || !unanswered.add(hold)) {
                return;
            }
        }
        if (closes) {
            new Closing(List.of(hold), 0).repeat(NOT_BEGUN);
        } else {
            new Repetition(hold).scheduleNext();
        }
    }

    /** Releases locks that are held, and those whose release got no reply, for at most that time from now. */
    void close(List<Hold> held, Duration limit) {
        List<Hold> all = beginClosing(held, limit);
        List<Hold> alone = all.stream()
                .filter(hold -> hold.gate().isClosed() || hold.isMinimumLeft())
                .toList();
        List<Hold> together = without(alone, all);
        sendAll(Stream.concat(HoldRegistry.batches(together), HoldRegistry.batches(alone, 1)), 0);
    }

    private synchronized List<Hold> beginClosing(List<Hold> held, Duration limit) {
        isClosing = true;
        endNanos = now() + limit.toNanos();
        unanswered.removeIf(hold -> !hold.needsReleaseAgain());
        unanswered.addAll(held);
        return List.copyOf(unanswered);
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
        sendAll(groups.map(group -> new Closing(group, attempts)).toList().iterator());
    }

    /** After an error of one, for example when no thread can be created, the others are sent nevertheless. */
    private static void sendAll(Iterator<Closing> left) {
        try {
            left.forEachRemaining(Closing::send);
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

    private static List<Hold> without(List<Hold> some, List<Hold> all) {
        Set<Hold> left = new LinkedHashSet<>(all);
        some.forEach(left::remove);
        return List.copyOf(left);
    }

    private long now() {
        return settings.time().nanoTime();
    }

    private final class Repetition {
        private final Hold hold;
        private int attempts;

        Repetition(Hold hold) {
            this.hold = hold;
        }

        void scheduleNext() {
            if (retainUnanswered(hold)) {
                long pause = settings.holding().renewalBackoff().apply(++attempts);
                Timer.Timeout unused = timer.schedule(Duration.ofMillis(pause), this::run);
            }
        }

        private void run() {
            if (!retainUnanswered(hold)) {
                return;
            }
            CompletableFuture<Boolean> release =
                    CompletableFuture.failedFuture(new IllegalStateException("The release could not begin"));
            try {
                release = background.run("Releasing", hold.lease().name(), () -> program.apply(hold));
            } finally {
                CompletableFuture<Void> unused = release.handle((released, error) -> {
                    ended(Boolean.TRUE.equals(released), error);
                    return null;
                });
            }
        }

        private void ended(boolean isReleased, @Nullable Throwable error) {
            try {
                if (error != null) {
                    hold.recordReleaseFailed();
                }
            } finally {
                hold.endReleaseAgain(isReleased);
                scheduleNext();
            }
        }
    }

    /** The release of some locks, by one command, while the client is closed. */
    private final class Closing {
        private final List<Hold> holds;
        private final int attempts;

        Closing(List<Hold> holds, int attempts) {
            this.holds = holds;
            this.attempts = attempts;
        }

        void send() {
            CompletableFuture<Optional<Reply.Failed>> release =
                    CompletableFuture.completedFuture(Optional.of(NOT_BEGUN));
            try {
                release = background.run("Releasing", holds.get(0).name(), this::release);
            } finally {
                CompletableFuture<Void> unused = release.handle((failure, error) -> {
                    if (error != null) {
                        end(
                                holds,
                                Optional.of(error.toString()).filter(e -> !(error instanceof ClientClosedException)));
                    } else {
                        failure.ifPresentOrElse(this::failed, () -> end(holds, Optional.empty()));
                    }
                    return null;
                });
            }
        }

        /** Ends with the fault, if there was one. */
        private Step<Optional<Reply.Failed>> release() {
            Step<Boolean> release = holds.size() == 1
                    ? holds.get(0).releaseOperation(settings).start()
                    : FaultRetry.lasting(settings, settings.commandTimeout()).retrying(this::together, Step::done);
            return release.then(done -> Step.done(Optional.empty()), failure -> Step.done(Optional.of(failure)));
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
                repeat(failure);
            } else if (holds.size() > 1) {
                sendAll(HoldRegistry.batches(holds, 1), 0);
            } else {
                end(holds, Optional.of(failure.fault() + ": " + failure.cause().getMessage()));
            }
        }

        /** A lock whose lease has ended needs no release. */
        void repeat(Reply.Failed failure) {
            long now = now();
            List<Hold> ended = holds.stream()
                    .filter(hold -> LeaseTimes.remaining(hold.lease(), now).isZero())
                    .toList();
            end(ended, Optional.empty());
            List<Hold> held = without(ended, holds);
            Duration left = Duration.ofNanos(endNanos - now);
            if (left.compareTo(LAST_PART) < 0) {
                end(held, Optional.of(failure.fault() + ": " + failure.cause().getMessage()));
            } else if (!held.isEmpty()) {
                Duration backoff =
                        Duration.ofMillis(settings.holding().renewalBackoff().apply(attempts + 1));
                Timer.Timeout unused = timer.schedule(
                        Durations.shorter(backoff, left.dividedBy(2)),
                        () -> sendAll(HoldRegistry.batches(held, (held.size() + 1) / 2), attempts + 1));
            }
        }
    }
}
