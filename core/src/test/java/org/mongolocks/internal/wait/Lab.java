package org.mongolocks.internal.wait;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.mongolocks.HolderInfo;
import org.mongolocks.Lease;
import org.mongolocks.LockEvent;
import org.mongolocks.LockName;
import org.mongolocks.LockObserver;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.SchemaMode;
import org.mongolocks.internal.acquire.GrantAcquisition;
import org.mongolocks.internal.acquire.GrantAcquisitions;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.settings.ClientSettings.LeaseSettings;
import org.mongolocks.internal.settings.FaultPolicy;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.internal.wait.WaiterQueues.Streams;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Step;
import org.mongolocks.time.ManualTime;

/** A runner of programs without calls, on a time that only their pauses move. */
public final class Lab {
    public static final Duration TTL = Duration.ofSeconds(10);
    public static final Duration POLL = Duration.ofMillis(100);
    public static final Duration RETRY = Duration.ofMillis(10);
    public static final int MAX_ATTEMPTS = 3;
    public static final Owner OWNER = new Owner("lab", new UUID(0, 1));
    public static final LockName NAME = LockName.of("a");
    public static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private static final Retry FAULTS = Retry.of(
            "lab",
            RetryConfig.custom()
                    .maxAttempts(MAX_ATTEMPTS)
                    .intervalFunction(IntervalFunction.of(RETRY))
                    .build());

    public final ManualTime time = new ManualTime(Long.MAX_VALUE - 1_000_000_000L);
    Duration poll = POLL;
    /** How many times longer each next polling interval is. */
    int pollGrowth = 1;

    String instance = OWNER.instance();
    public final List<Duration> pauses = new ArrayList<>();
    final List<Long> wentBack = new ArrayList<>();
    private Optional<LockObserver> observer = Optional.empty();
    final LeaseSettings holding = holding(Duration.ZERO, RETRY);

    public ClientSettings settings(LockStrategy strategy) {
        return settings(strategy, SchemaMode.CREATE);
    }

    public ClientSettings settings(LockStrategy strategy, SchemaMode schema) {
        return settings(strategy, schema, holding);
    }

    /** Returns settings with another skew margin and another pause between renewals. */
    public ClientSettings settings(LockStrategy strategy, Duration margin, Duration backoff) {
        return settings(strategy, SchemaMode.CREATE, holding(margin, backoff));
    }

    /** Observes the locks of all settings from now on; returns the events, which are added as they happen. */
    public List<LockEvent> observe() {
        List<LockEvent> events = new ArrayList<>();
        observer = Optional.of(events::add);
        return events;
    }

    private LeaseSettings observed(LeaseSettings held) {
        return new LeaseSettings(
                held.timer(),
                held.listeners(),
                held.skewMargin(),
                held.closeTimeout(),
                held.drainTimeout(),
                held.renewalBackoff(),
                held.holderInfo(),
                observer);
    }

    private ClientSettings settings(LockStrategy strategy, SchemaMode schema, LeaseSettings held) {
        return new ClientSettings(
                strategy,
                "locks",
                Duration.ofSeconds(1),
                attempt -> poll.toMillis() * Math.round(Math.pow(pollGrowth, attempt - 1)),
                FaultPolicy.ofUser(FAULTS),
                time,
                instance,
                () -> new UUID(0, 1),
                schema,
                observed(held),
                (granted, newest) -> wentBack.add(newest));
    }

    private static LeaseSettings holding(Duration margin, Duration backoff) {
        return new LeaseSettings(
                Optional.empty(),
                Optional.empty(),
                Optional.of(margin),
                CLOSE_TIMEOUT,
                Duration.ZERO,
                IntervalFunction.of(backoff),
                HolderInfo::ofThisThread,
                Optional.empty());
    }

    /** Returns the queues of a client that never lacks connections. */
    public static WaiterQueues queues(ClientSettings settings, ChangeFeed feed) {
        return queues(settings, new ClientRuns(settings, new ConnectionShortage(settings.time())), feed);
    }

    /** Returns the queues of a client whose streams are not checked. */
    public static WaiterQueues queues(ClientSettings settings, ClientRuns runs, ChangeFeed feed) {
        return new WaiterQueues(settings, runs, new Streams(feed, (delay, task) -> () -> {}, () -> {}));
    }

    /** Starts an acquisition with empty waiter queues and without a change stream. */
    public GrantAcquisition acquisition(LockStrategy strategy, Duration wait) {
        ClientSettings settings = settings(strategy);
        return GrantAcquisitions.of(settings, request(wait), OWNER, Lab.queues(settings, ChangeFeed.none()));
    }

    public static LockRequest request(Duration wait) {
        return LockRequest.of(NAME, TTL).fixedLease().waitAtMost(wait);
    }

    public static LockSnapshot heldBy(String holder, long revision, Optional<Duration> remaining) {
        return LockSnapshot.of(NAME, Optional.of(holder), 1, revision)
                .lease(TTL, Optional.empty(), Optional.empty())
                .remaining(remaining);
    }

    public Lease lease() {
        return new Lease(NAME, OWNER, 7, TTL, time.nanoTime() + TTL.toNanos());
    }

    /** Runs to the last step, which is done or failed. */
    public <R> Step<R> run(Step<R> first) {
        Step<R> step = first;
        while (step instanceof Step.Pause<R> pause) {
            pauses.add(pause.delay());
            time.advance(pause.delay());
            step = pause.then().get();
        }
        return step;
    }

    public <R> R result(Step<R> first) {
        return ((Step.Done<R>) run(first)).result();
    }
}
