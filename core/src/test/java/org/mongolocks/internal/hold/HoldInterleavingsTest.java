package org.mongolocks.internal.hold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mongolocks.interleavings.Interleavings.explore;
import static org.mongolocks.interleavings.Interleavings.together;

import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.Lease;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.Step;

/** Tests of a registry of held locks, its locks and their keep-alive, where threads meet. */
@Tag("interleavings")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class HoldInterleavingsTest {
    private static final ClusterDescription DEPLOYMENT =
            new ClusterDescription(ClusterConnectionMode.MULTIPLE, ClusterType.UNKNOWN, List.of());
    private static final LockRequest KEPT_ALIVE = LockRequest.of("a", HoldingLab.TTL);
    private static final Lease LEASE = new Lab().lease();
    private static final long LEASE_BEGAN = new Lab().time.nanoTime();

    @Test
    void lockIsReleasedOrLostOnce() {
        explore(() -> {
            Scene scene = new Scene();
            Hold hold = scene.lab.hold("a", false);
            AtomicBoolean released = new AtomicBoolean();
            AtomicBoolean heldAfterTheLoss = new AtomicBoolean();

            together(() -> released.set(scene.release(hold)), () -> {
                hold.markLost(LossReason.FORCED);
                heldAfterTheLoss.set(hold.isHeld());
            });

            assertFalse(heldAfterTheLoss.get());
            assertEquals(released.get() ? 0 : 1, scene.lab.told.size());
            assertEquals(released.get(), hold.loss().isEmpty());
            scene.holdsNothing();
        });
    }

    @Test
    void lockThatIsKeptAliveWhileItIsReleasedIsForgotten() {
        explore(() -> {
            Scene scene = new Scene();
            Hold hold = scene.lab.hold("a", false);

            together(() -> scene.lab.holds().keepAlive(hold, Optional.empty()), () -> scene.release(hold));

            scene.holdsNothing();
        });
    }

    @Test
    void grantIsRefusedOrLeftToTheClose() {
        explore(() -> {
            HoldRegistry holds = new HoldingLab().holds();
            AtomicReference<Optional<Hold>> granted = new AtomicReference<>(Optional.empty());
            AtomicReference<List<Hold>> last = new AtomicReference<>(List.of());

            together(
                    () -> granted.set(holds.add(KEPT_ALIVE, LEASE, LEASE_BEGAN, LEASE_BEGAN)),
                    () -> last.set(holds.end().orElseThrow()));

            assertEquals(granted.get().stream().toList(), last.get());
            assertTrue(last.get().stream().noneMatch(Hold::isHeld));
            assertEquals(0, holds.size());
        });
    }

    /** A client, and the server's view of one lock that it holds. */
    private static final class Scene {
        private final HoldingLab lab = new HoldingLab();

        Scene() {
            lab.strategy.releases(Step.done(true));
            lab.deployment = Optional.of(() -> DEPLOYMENT);
        }

        boolean release(Hold hold) {
            return lab.lab.result(lab.holds().releasing(hold));
        }

        /** Nothing is scheduled for a lock any more, once the wake-ups that were armed before have run. */
        void holdsNothing() {
            assertEquals(0, lab.holds().size());
            lab.timer.advance(Lab.TTL.multipliedBy(2));
            assertEquals(0, lab.timer.size(), "tasks of the timer");
        }
    }
}
