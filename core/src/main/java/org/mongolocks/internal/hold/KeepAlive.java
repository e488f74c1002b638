package org.mongolocks.internal.hold;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.internal.hold.RenewalAttempt.Retry;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.DeadlineQueue;
import org.mongolocks.internal.run.LeaseTimes;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Step;

/**
 * The automatic renewal of the leases of one client while their locks are held, on one timer. Leases that are due at
 * the same time are renewed together; if fewer of them match than are held, each by itself, to learn which is lost; if
 * no reply arrives in time, in parts, because the document of one may be blocked.
 * After a fault the old end of the lease stands, and the renewal is retried with growing, jittered pauses until the
 * lease ends; a failure of one lock never stops the renewal of the others. Thread-safe.
 */
final class KeepAlive {
    private final ClientSettings settings;
    private final BackgroundRunner background;
    private final Function<Hold, RenewalSchedule> schedules;
    private final Map<Hold, RenewalSchedule> kept = new LinkedHashMap<>();
    private final RenewalBatches batches;
    private final DeadlineQueue deadlines;
    /** Those that are due, until the end of the wake-up. */
    private final List<RenewalSchedule> begun = new ArrayList<>();

    private final Map<List<RenewalSchedule>, CompletableFuture<RenewalAttempt>> inFlight = new ConcurrentHashMap<>();
    private volatile boolean closed;

    KeepAlive(
            DeadlineQueue deadlines,
            BackgroundRunner background,
            ClientSettings settings,
            Function<Hold, RenewalSchedule> schedules) {
        this.background = background;
        this.settings = settings;
        this.schedules = schedules;
        this.deadlines = deadlines;
        deadlines.afterwards(this::sendBegun);
        this.batches = new RenewalBatches(settings.time().nanoTime());
    }

    /** Allows renewals up to a limit, counted from now. If they are allowed already, the later limit is in force. */
    synchronized void allow(Hold hold, Optional<Duration> limit) {
        hold.keepAlive(limit);
    }

    /** Renews a lock from now on, unless it does so already. */
    void add(Hold hold) {
        hold.gate().whenOpened(() -> armTimer(schedulesOf(hold)));
        register(hold);
        if (hold.isOver()) {
            remove(hold);
        }
    }

    /**
     * Schedules a renewal of every lease: an event on the server may have ended them. They are due together, after the
     * first pause of the backoff, which differs between clients.
     */
    void renewSoon() {
        long due = now()
                + Duration.ofMillis(settings.holding().renewalBackoff().apply(1))
                        .toNanos();
        List<RenewalSchedule> all = all();
        all.forEach(schedule -> schedule.renewNoLaterThan(due));
        armTimer(all);
    }

    synchronized void remove(Hold hold) {
        RenewalSchedule schedule = kept.remove(hold);
        if (schedule != null) {
            boolean unused = deadlines.remove(schedule);
            schedule.keeper = null;
        }
    }

    /** Stops renewing a lock; a renewal in flight continues. */
    synchronized void stop(Hold hold) {
        hold.endKeepAlive();
        remove(hold);
    }

    /** Stops all renewals, including those in flight. */
    void close() {
        stop();
        inFlight.values().forEach(request -> request.cancel(true));
    }

    private synchronized void register(Hold hold) {
        if (!closed && hold.isKeptAlive() && !kept.containsKey(hold)) {
            RenewalSchedule schedule = schedules.apply(hold);
            schedule.keeper = this;
            kept.put(hold, schedule);
            armTimer(schedulesOf(hold));
        }
    }

    private synchronized List<RenewalSchedule> schedulesOf(Hold hold) {
        return kept.containsKey(hold) ? List.of(kept.get(hold)) : List.of();
    }

    /** A limit that was moved meanwhile is seen, because locks are added in the same monitor. */
    private synchronized boolean stopAtLimit(RenewalSchedule schedule) {
        Hold hold = schedule.hold();
        boolean ends = isRegistered(schedule) && !hold.isOver() && hold.isKeepAliveOver();
        if (ends) {
            stop(hold);
        }
        return ends;
    }

    private synchronized boolean isRegistered(RenewalSchedule schedule) {
        return schedule.keeper != null;
    }

    private synchronized List<RenewalSchedule> all() {
        return List.copyOf(kept.values());
    }

    private synchronized void stop() {
        closed = true;
        List.copyOf(kept.keySet()).forEach(this::remove);
    }

    /**
     * Wakes when the first of them is due. One that is being renewed, or whose gate is closed, is not: it comes again.
     */
    private synchronized void armTimer(Collection<RenewalSchedule> some) {
        some.stream()
                .filter(schedule -> isRegistered(schedule) && schedule.isWaiting())
                .forEach(this::put);
    }

    private void put(RenewalSchedule schedule) {
        long due = schedule.dueNanos();
        deadlines.put(schedule, due, due - schedule.earlyNanos());
    }

    /** A lease that has ended is not renewed any more: {@link #leases} skips it, because the mark checks its expiry. */
    void onDue(RenewalSchedule schedule) {
        long now = now();
        boolean isBegun = false;
        try {
            if (schedule.hold().isKeepAliveOver() && stopAtLimit(schedule)) {
                BackgroundLog.log(INFO, schedule.hold() + " is not kept alive any longer: its limit is reached");
            }
            isBegun = isRegistered(schedule) && schedule.beginIfDue(now);
        } finally {
            if (isBegun) {
                addBegun(schedule);
                schedule.hold().markRenewing();
            } else {
                armTimer(List.of(schedule));
            }
        }
    }

    private synchronized void addBegun(RenewalSchedule schedule) {
        begun.add(schedule);
    }

    private synchronized List<RenewalSchedule> takeBegun() {
        List<RenewalSchedule> taken = List.copyOf(begun);
        begun.clear();
        return taken;
    }

    private void sendBegun() {
        sendAll(takeBegun());
    }

    /** Even after an error, for example when no thread can be created, every schedule that was taken gets a result. */
    private void sendAll(List<RenewalSchedule> due) {
        Iterator<List<RenewalSchedule>> requests = RenewalBatches.of(due).iterator();
        try {
            requests.forEachRemaining(this::sendBatch);
        } finally {
            requests.forEachRemaining(
                    unsent -> recordResult(unsent, new RenewalAttempt.Failed(Retry.TOGETHER, Optional.empty())));
        }
    }

    private void sendBatch(List<RenewalSchedule> batch) {
        CompletableFuture<RenewalAttempt> request =
                CompletableFuture.completedFuture(new RenewalAttempt.Failed(Retry.TOGETHER, Optional.empty()));
        try {
            request = send(batch);
        } finally {
            track(batch, request);
        }
    }

    private void track(List<RenewalSchedule> batch, CompletableFuture<RenewalAttempt> request) {
        inFlight.put(batch, request);
        CompletableFuture<@Nullable Void> unused = request.handle((answer, error) -> {
                    inFlight.remove(batch);
                    handle(batch, answer == null ? new RenewalAttempt.Failed(Retry.EACH, Optional.empty()) : answer);
                    return error;
                })
                .handle((failure, error) -> {
                    Throwable either = error == null ? failure : error;
                    if (either != null) {
                        logFailed(batch, either);
                    }
                    return null;
                });
        if (closed) {
            request.cancel(true);
        }
    }

    private CompletableFuture<RenewalAttempt> send(List<RenewalSchedule> batch) {
        LockName first = batch.get(0).hold().lease().name();
        Supplier<RenewalTime> time = () -> time(leases(batch));
        Supplier<Step<RenewalAttempt>> program = () -> program(leases(batch));
        return batch.stream().anyMatch(RenewalSchedule::isRetry)
                ? background.renewAgain(first, time, program)
                : background.renew(first, time, program);
    }

    private RenewalTime time(List<Lease> leases) {
        long now = now();
        return leases.stream()
                .min(Comparator.comparing(lease -> LeaseTimes.remaining(lease, now)))
                .map(first -> RenewalTime.ofKeepAlive(
                        LeaseTimes.remaining(first, now), RenewOperation.heldFor(settings, first.ttl())))
                .orElse(RenewalTime.of(Duration.ZERO));
    }

    /**
     * Returns the leases to renew; a lock that was released since then would make the count of the others short. A batch
     * that begins when another one is cancelled by {@link #close} renews none.
     */
    private List<Lease> leases(List<RenewalSchedule> batch) {
        return batch.stream()
                .map(RenewalSchedule::hold)
                .filter(hold -> !closed && !hold.isOver())
                .map(Hold::lease)
                .toList();
    }

    private Step<RenewalAttempt> program(List<Lease> leases) {
        return switch (leases.size()) {
            case 0 -> Step.done(new RenewalAttempt.Undetermined());
            case 1 -> RenewalAttempt.toOne(settings, leases.get(0));
            default -> RenewalAttempt.toSeveral(settings, leases);
        };
    }

    /**
     * Locks that were released or lost meanwhile explain why fewer matched: the others are renewed together once more.
     * If fewer match again, each is renewed by itself.
     */
    private void handle(List<RenewalSchedule> batch, RenewalAttempt answer) {
        List<RenewalSchedule> over = new ArrayList<>();
        List<RenewalSchedule> held = new ArrayList<>();
        batch.forEach(schedule -> (schedule.hold().isOver() ? over : held).add(schedule));
        if (!over.isEmpty() && !held.isEmpty() && answer instanceof RenewalAttempt.Undetermined) {
            recordAndSend(over, answer, held);
        } else if (answer instanceof RenewalAttempt.InPart some) {
            recordParts(batch, some);
        } else {
            recordResult(batch, answer);
        }
    }

    private void recordParts(List<RenewalSchedule> batch, RenewalAttempt.InPart some) {
        List<RenewalSchedule> failed = new ArrayList<>();
        List<RenewalSchedule> renewed = new ArrayList<>();
        batch.forEach(schedule ->
                (some.notRenewed().contains(schedule.hold().lease().name()) ? failed : renewed).add(schedule));
        try {
            recordResult(renewed, new RenewalAttempt.Renewed(some.startedNanos()));
        } finally {
            recordResult(failed, some.failure());
        }
    }

    private void recordAndSend(List<RenewalSchedule> over, RenewalAttempt answer, List<RenewalSchedule> held) {
        try {
            recordResult(over, answer);
        } finally {
            sendBatch(held);
        }
    }

    private void recordResult(List<RenewalSchedule> batch, RenewalAttempt answer) {
        long now = now();
        int failures = batch.stream().mapToInt(RenewalSchedule::failures).max().orElse(0);
        Duration backoff = Duration.ofMillis(settings.holding().renewalBackoff().apply(failures + 1));
        int together = batches.recordResult(batch, answer, now);
        try {
            forEach(batch.iterator(), schedule -> schedule.recordResult(answer, together, now, backoff));
        } finally {
            armTimer(batch);
        }
        if (answer instanceof RenewalAttempt.Failed failed) {
            failed.error().ifPresent(error -> log(batch, error, failures == 0));
        }
    }

    /** An error of one lock does not hide the result from the others. */
    private static void forEach(Iterator<RenewalSchedule> left, Consumer<RenewalSchedule> task) {
        try {
            while (left.hasNext()) {
                task.accept(left.next());
            }
        } finally {
            if (left.hasNext()) {
                forEach(left, task);
            }
        }
    }

    /** The first of several failures is news; the loss that may follow is logged with each lock. */
    private static void log(List<RenewalSchedule> batch, String error, boolean isFirst) {
        Lease first = batch.get(0).hold().lease();
        String others = batch.size() == 1 ? "" : " and " + (batch.size() - 1) + " others";
        BackgroundLog.log(
                isFirst ? INFO : DEBUG,
                "Lock '" + first.name() + "'" + others + " could not be renewed; retrying while the lease lasts: "
                        + error);
    }

    /** The error may lie in the strategy, and fail all leases because of one of them. */
    private void logFailed(List<RenewalSchedule> batch, Throwable error) {
        System.Logger.Level level = closed ? DEBUG : WARNING;
        BackgroundLog.log(level, "Renewing " + batch.size() + " locks failed; retrying while their leases last", error);
    }

    private long now() {
        return settings.time().nanoTime();
    }
}
