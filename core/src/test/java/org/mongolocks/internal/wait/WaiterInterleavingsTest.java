package org.mongolocks.internal.wait;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mongolocks.interleavings.Interleavings.explore;
import static org.mongolocks.interleavings.Interleavings.together;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.ClientClosedException;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.internal.wait.ReleaseEvents.Release;
import org.mongolocks.internal.wait.Waiter.NextAction;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/** Tests of the waiters of one client, where their threads meet the threads of events and of the close. */
@Tag("interleavings")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class WaiterInterleavingsTest {
    private static final LockOutcome.Contended HELD = new LockOutcome.Contended(WaitingScene.HELD);
    private static final Release RELEASE = new Release(0, List.of(), Duration.ZERO);

    @Test
    void releaseWakesAWaiterThatBeginsToWait() {
        explore(() -> {
            Scene scene = new Scene();

            together(scene::joinsAndRuns, scene::released);

            scene.runsIfWoken();
            assertTrue(scene.isAcquired.get());
        });
    }

    @Test
    void releaseWakesTheNextWaiterIfTheFirstGivesUp() {
        explore(() -> {
            Scene scene = new Scene();
            Waiter first = new Waiter(scene.queues, Lab.NAME, false);
            scene.joinsAndRuns();

            together(() -> first.leave(Optional.empty()), scene::released);

            scene.runsIfWoken();
            assertTrue(scene.isAcquired.get());
        });
    }

    @Test
    void closeEndsTheWaitOfAWaiterThatBeginsToWait() {
        explore(() -> {
            Scene scene = new Scene();

            together(scene::joinsAndRuns, scene.queues::close);

            scene.runsIfWoken();
            assertTrue(scene.isClosed.get());
        });
    }

    /**
     * A client with one waiter, and a server where another owner holds the lock until its release. No change stream is
     * opened, because the model checker explores nothing after that; the events are delivered as by one.
     */
    private static final class Scene {
        private final AtomicBoolean isFree = new AtomicBoolean();
        private final AtomicBoolean isAcquired = new AtomicBoolean();
        private final AtomicBoolean isClosed = new AtomicBoolean();
        private final WaiterQueues queues;
        private volatile CompletableFuture<Void> signal = CompletableFuture.completedFuture(null);
        private volatile Optional<Waiter> waiter = Optional.empty();

        Scene() {
            queues = Lab.queues(new Lab().settings(new FakeStrategy()), ChangeFeed.none());
        }

        void released() {
            isFree.set(true);
            queues.onReleaseEvent(Lab.NAME.value(), RELEASE);
        }

        void joinsAndRuns() {
            waiter = Optional.of(new Waiter(queues, Lab.NAME, false));
            runsIfWoken();
        }

        /** Runs the waiter as an acquisition does, until it sleeps, has the lock, or finds the client closed. */
        void runsIfWoken() {
            try {
                while (signal.isDone() && !isAcquired.get()) {
                    NextAction next = waiter.orElseThrow().nextAction();
                    queues.requireOpen();
                    signal = next.signal();
                    if (next.isNow()) {
                        attempts(waiter.orElseThrow());
                        signal.complete(null);
                    }
                }
            } catch (ClientClosedException e) {
                isClosed.set(true);
            }
        }

        private void attempts(Waiter attempting) {
            attempting.beginAttempt(queues.nanoTime());
            if (isFree.get()) {
                isAcquired.set(true);
            } else {
                attempting.contended(HELD);
            }
        }
    }
}
