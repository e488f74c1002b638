package org.mongolocks.internal.hold;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.Timer;
import org.mongolocks.internal.run.BackgroundRunner;
import org.mongolocks.spi.Step;

/**
 * The automatic renewal of the leases of one client while their locks are held, on one timer. Leases that are due at
 * the same time are renewed together. After a fault the old end of the lease stands, and the renewal is retried with
 * growing, jittered pauses until the lease ends; a failure of one lock never stops the renewal of the others.
 * Thread-safe.
 */
final class KeepAlive {
    /** Bounds the number of leases that one slow or failed command can delay. */
    static final int MAX_TOGETHER = 100;

    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final ClientSettings settings;
    private final Timer timer;
    private final BackgroundRunner background;
    private final Map<Hold, RenewalSchedule> turns = new LinkedHashMap<>();
    private final Map<List<RenewalSchedule>, CompletableFuture<RenewalAttempt>> running = new ConcurrentHashMap<>();
    private Timer.Timeout wakeUp = () -> {};
    private boolean asleep;
    private long wakeAtNanos;
    private volatile boolean closed;

    KeepAlive(ClientSettings settings, Timer timer, BackgroundRunner background) {
        this.settings = settings;
        this.timer = timer;
        this.background = background;
    }

    void add(Hold hold) {
        RenewalSchedule turn = new RenewalSchedule(hold, settings);
        hold.gate.whenOpened(this::sleep);
        put(turn);
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
        synchronized (this) {
            turns.values().forEach(turn -> turn.hurry(due));
        }
        sleep();
    }

    synchronized boolean isEmpty() {
        return turns.isEmpty();
    }

    synchronized void remove(Hold hold) {
        turns.remove(hold);
    }

    /** Stops all renewals, including those in flight. */
    void close() {
        stop();
        running.values().forEach(question -> question.cancel(true));
    }

    private synchronized void put(RenewalSchedule turn) {
        if (!closed) {
            turns.put(turn.hold(), turn);
            wakeBy(turn.dueNanos());
        }
    }

    private synchronized void stop() {
        closed = true;
        turns.clear();
        wakeUp.cancel();
    }

    private synchronized void wakeBy(long dueNanos) {
        if (closed || (asleep && wakeAtNanos - dueNanos <= 0)) {
            return;
        }
        wakeUp.cancel();
        asleep = true;
        wakeAtNanos = dueNanos;
        Duration wait = Duration.ofNanos(Math.max(0, dueNanos - now()));
        wakeUp = timer.schedule(wait, this::wake);
    }

    private void wake() {
        try {
            askFor(takeDue());
        } finally {
            sleep();
        }
    }

    private synchronized void sleep() {
        turns.values().stream()
                .filter(RenewalSchedule::isWaiting)
                .map(RenewalSchedule::dueNanos)
                .reduce((one, other) -> one - other <= 0 ? one : other)
                .ifPresent(this::wakeBy);
    }

    /** A lease that has ended by now is not renewed any more. */
    private List<RenewalSchedule> takeDue() {
        return all().stream()
                .filter(turn -> turn.hold().isHeld() && turn.take(now()))
                .toList();
    }

    private synchronized List<RenewalSchedule> all() {
        asleep = false;
        return List.copyOf(turns.values());
    }

    /** Even after an error, for example when no thread can be created, every schedule that was taken gets a result. */
    private void askFor(List<RenewalSchedule> due) {
        Iterator<List<RenewalSchedule>> questions = questions(due).iterator();
        try {
            questions.forEachRemaining(this::ask);
        } finally {
            questions.forEachRemaining(unasked -> answered(unasked, new RenewalAttempt.Failed(true, Optional.empty())));
        }
    }

    private static List<List<RenewalSchedule>> questions(List<RenewalSchedule> due) {
        List<RenewalSchedule> together =
                due.stream().filter(turn -> !turn.isAlone()).toList();
        Stream<List<RenewalSchedule>> batches = IntStream.iterate(
                        0, from -> from < together.size(), from -> from + MAX_TOGETHER)
                .mapToObj(from -> together.subList(from, Math.min(from + MAX_TOGETHER, together.size())));
        return Stream.concat(due.stream().filter(RenewalSchedule::isAlone).map(List::of), batches)
                .toList();
    }

    private void ask(List<RenewalSchedule> asked) {
        CompletableFuture<RenewalAttempt> question =
                CompletableFuture.completedFuture(new RenewalAttempt.Failed(true, Optional.empty()));
        try {
            question = send(asked);
        } finally {
            follow(asked, question);
        }
    }

    private void follow(List<RenewalSchedule> asked, CompletableFuture<RenewalAttempt> question) {
        running.put(asked, question);
        CompletableFuture<Void> unused = question.handle((answer, error) -> {
            running.remove(asked);
            answered(asked, answer == null ? failed(asked, error) : answer);
            return null;
        });
        if (closed) {
            question.cancel(true);
        }
    }

    private CompletableFuture<RenewalAttempt> send(List<RenewalSchedule> asked) {
        List<Lease> leases = asked.stream().map(turn -> turn.hold().lease()).toList();
        return background.run("Renewing", leases.get(0).name(), () -> program(leases));
    }

    private Step<RenewalAttempt> program(List<Lease> leases) {
        return leases.size() == 1
                ? RenewalAttempt.toOne(settings, leases.get(0))
                : RenewalAttempt.toSeveral(settings, leases);
    }

    /** The error may lie in the strategy, and fail all leases because of one of them. */
    private RenewalAttempt failed(List<RenewalSchedule> asked, @Nullable Throwable error) {
        System.Logger.Level level = closed ? DEBUG : WARNING;
        LOG.log(level, "Renewing " + asked.size() + " locks failed; it is retried while their leases last", error);
        return new RenewalAttempt.Failed(false, Optional.empty());
    }

    private void answered(List<RenewalSchedule> asked, RenewalAttempt answer) {
        long now = now();
        int failures = asked.stream().mapToInt(RenewalSchedule::failures).max().orElse(0);
        Duration backoff = Duration.ofMillis(settings.holding().renewalBackoff().apply(failures + 1));
        if (answer instanceof RenewalAttempt.Failed failed) {
            failed.error().ifPresent(error -> log(asked, error, failures == 0));
        }
        for (RenewalSchedule turn : asked) {
            turn.answered(answer, now, backoff);
        }
        sleep();
    }

    /** The first of several failures is news; the loss that may follow is logged with each lock. */
    private static void log(List<RenewalSchedule> asked, String error, boolean isFirst) {
        Lease first = asked.get(0).hold().lease();
        String others = asked.size() == 1 ? "" : " and " + (asked.size() - 1) + " others";
        LOG.log(
                isFirst ? INFO : DEBUG,
                "Lock '" + first.name() + "'" + others
                        + " could not be renewed, which is retried while the lease lasts: " + error);
    }

    private long now() {
        return settings.time().nanoTime();
    }
}
