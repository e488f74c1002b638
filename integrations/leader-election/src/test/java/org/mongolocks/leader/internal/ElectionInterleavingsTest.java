package org.mongolocks.leader.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mongolocks.interleavings.Interleavings.explore;
import static org.mongolocks.interleavings.Interleavings.together;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.leader.CandidacyState;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.time.Timer;

/** Tests of a candidacy whose calls, replies and losses come from several threads. */
@Tag("interleavings")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class ElectionInterleavingsTest {
    private static final Candidate CANDIDATE = Candidate.of("role", Duration.ofMinutes(1));

    @Test
    void turnsOfSeveralThreadsRunOneAfterAnotherAndAllOfThem() {
        explore(() -> {
            Turns turns = new Turns();
            AtomicInteger running = new AtomicInteger();
            AtomicInteger done = new AtomicInteger();
            AtomicBoolean overlapped = new AtomicBoolean();
            Runnable task = () -> {
                overlapped.compareAndSet(false, running.incrementAndGet() > 1);
                done.incrementAndGet();
                running.decrementAndGet();
            };

            together(() -> turns.add(task), () -> {
                turns.add(task);
                turns.add(task);
            });

            assertFalse(overlapped.get());
            assertEquals(3, done.get());
        });
    }

    @Test
    void termThatIsResignedAndLostIsHandedOverOnce() {
        explore(() -> {
            Scene scene = new Scene();
            scene.grants();

            together(scene.machine::resign, scene::loses);

            assertEquals(1, scene.revoked.get());
            assertEquals(1, scene.releases.get());
            assertEquals(CandidacyState.WAITING, scene.machine.state());
            assertTrue(scene.machine.term().isEmpty());
        });
    }

    @Test
    void roleThatIsGrantedDuringTheCloseIsReleased() {
        explore(() -> {
            Scene scene = new Scene();

            together(scene::grants, () -> {
                CompletableFuture<Void> unused = scene.machine.close(Duration.ZERO);
            });

            assertEquals(CandidacyState.CLOSED, scene.machine.state());
            assertTrue(scene.machine.closed().isDone());
            assertEquals(1, scene.releases.get());
        });
    }

    /** A candidacy that has asked for its role; its work ends as soon as it is revoked, and each release succeeds at once. */
    private static final class Scene implements LockPort, LockPort.RoleLock, CandidateWork {
        private final AtomicInteger revoked = new AtomicInteger();
        private final AtomicInteger releases = new AtomicInteger();
        private volatile boolean lost;
        private volatile @Nullable Answer<Optional<RoleLock>> asked;
        private volatile Runnable check = () -> {};
        private final ElectionMachine machine = new ElectionMachine(CANDIDATE, this, this);

        Scene() {
            machine.begin();
        }

        void grants() {
            Objects.requireNonNull(asked).done(Optional.of(this));
        }

        void loses() {
            lost = true;
            check.run();
        }

        @Override
        public Runnable acquire(LockRequest request, Answer<Optional<RoleLock>> answer) {
            asked = answer;
            return () -> {};
        }

        @Override
        public void inspect(LockName role, Answer<Optional<LockSnapshot>> answer) {}

        @Override
        public Timer timer() {
            return (delay, task) -> () -> {};
        }

        @Override
        public Running begin(Term term, RoleLock lock, Runnable ended) {
            return ended::run;
        }

        @Override
        public void handle(LeaderEvent event) {
            if (event instanceof LeaderEvent.Revoked) {
                revoked.incrementAndGet();
            }
        }

        @Override
        public long fencingToken() {
            return 1;
        }

        @Override
        public Duration remaining() {
            return lost ? Duration.ZERO : CANDIDATE.ttl();
        }

        @Override
        public Optional<LossReason> loss() {
            return lost ? Optional.of(LossReason.FORCED) : Optional.empty();
        }

        @Override
        public void watch(List<Duration> remaining, Runnable watching) {
            check = watching;
        }

        @Override
        public void release(Runnable then) {
            releases.incrementAndGet();
            then.run();
        }
    }
}
