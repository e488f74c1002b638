package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.acquire.GrantAcquisition;
import org.mongolocks.internal.acquire.GrantAcquisitions;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.EventLag;
import org.mongolocks.internal.wait.WaiterQueues.Streams;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;
import org.mongolocks.time.ManualTimer;

/** A fixture of acquisitions in the waiter queues of one client, step by step. */
public abstract class WaitingScene {
    public static final Duration PATIENT = Duration.ofMinutes(1);
    /** Shorter than the time after which a waiter looks without a reason. */
    static final Duration LEASE_LEFT = Duration.ofSeconds(4);

    static final LockSnapshot HELD = Lab.heldBy("other", 1, Optional.of(LEASE_LEFT));

    public final Lab lab = new Lab();
    public final ScriptedFeed feed = new ScriptedFeed();
    public final FakeStrategy strategy;
    public final ConnectionShortage shortage = new ConnectionShortage(lab.time);
    public final EventLag lag;
    /** Those of streams. */
    final ManualTimer checks = new ManualTimer(lab.time);

    final AtomicInteger collectionEnds = new AtomicInteger();
    final WaiterQueues queues;
    public final List<Waiter> waiters = new ArrayList<>();

    protected WaitingScene() {
        this(new FakeStrategy());
    }

    /** Creates a scene in which another owner holds the lock. */
    WaitingScene(FakeStrategy strategy) {
        this.strategy = strategy.contends(HELD).releases(Step.done(true));
        ClientRuns runs = new ClientRuns(lab.settings(strategy), shortage);
        this.lag = runs.lag();
        this.queues = new WaiterQueues(
                lab.settings(strategy), runs, new Streams(feed, checks, collectionEnds::incrementAndGet));
    }

    public void openWith(Waiter... waiting) {
        feed.tellsThatItIsOpen();
        for (Waiter waiter : waiting) {
            waiter.looksAgain();
        }
    }

    public Waiter waiter() {
        return waiter(Lab.request(PATIENT));
    }

    final Waiter waiter(LockRequest request) {
        Waiter waiter = new Waiter(request);
        waiters.add(waiter);
        return waiter;
    }

    /** One acquisition that pauses when it has to wait, until the test continues it. */
    public final class Waiter {
        private final GrantAcquisition acquisition;
        private Step<LockOutcome> step;

        Waiter(Duration wait) {
            this(Lab.request(wait));
        }

        private Waiter(LockRequest request) {
            Owner owner = new Owner("lab", new UUID(0, waiters.size() + 2));
            acquisition = GrantAcquisitions.of(lab.settings(strategy), request, owner, queues);
            step = acquisition.start();
        }

        public Waiter looksAgain() {
            if (step instanceof Step.Pause<LockOutcome> pause) {
                step = pause.then().get();
            }
            return this;
        }

        boolean isWaiting() {
            return step instanceof Step.Pause;
        }

        public boolean wasWoken() {
            return step instanceof Step.Pause<LockOutcome> pause
                    && pause.wakeUp().orElseThrow().isDone();
        }

        boolean needsCompensation() {
            return acquisition.needsCompensation();
        }

        void compensates() {
            lab.run(acquisition.compensate());
        }

        void leaves() {
            acquisition.close();
        }

        /** Returns how long it waits unless it is woken. */
        Duration delay() {
            return ((Step.Pause<LockOutcome>) step).delay();
        }

        LockOutcome outcome() {
            return ((Step.Done<LockOutcome>) step).result();
        }

        boolean isAcquired() {
            return outcome() instanceof LockOutcome.Acquired;
        }

        boolean isContended() {
            return outcome() instanceof LockOutcome.Contended;
        }
    }
}
