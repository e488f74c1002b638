package org.mongolocks.internal.reentrant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldingLab;
import org.mongolocks.spi.Step;

/** Tests that enter, leave and lose one lock on several threads concurrently. */
class ReentryRaceTest {
    private static final int THREADS = 3;
    private static final int ROUNDS = 2_000;
    private static final LockRequest REQUEST =
            LockRequest.of("a", HoldingLab.TTL).fixedLease();

    private final HoldingLab lab = new HoldingLab();
    private final ReentrantHolds reentries = new ReentrantHolds(lab.settings(), lab.holds());
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void concurrentReleasesHaveOneLast() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<HoldReference> shares = shares();

            AtomicInteger last = new AtomicInteger();
            atOnce(thread -> {
                if (shares.get(thread).release() == HoldReference.ReleaseAction.LAST) {
                    last.incrementAndGet();
                    shares.get(thread).released();
                }
            });

            assertThat(last).as("round " + round).hasValue(1);
            assertThat(reentries.size()).isZero();
        }
    }

    @Test
    void entryDuringTheLastReleaseReentersOrAcquiresButNeverBoth() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            HoldReference share = first(lab.hold("a", false));
            ReentrantAcquisition next = reentries.acquisition("me", REQUEST);
            AtomicInteger released = new AtomicInteger();

            atOnce(thread -> {
                if (thread == 0 && share.release() == HoldReference.ReleaseAction.LAST) {
                    released.incrementAndGet();
                } else if (thread == 1) {
                    next.start();
                }
            });

            assertThat(next.needsCompensation()).as("round " + round).isEqualTo(released.get() == 0);
            share.released();
        }
    }

    @Test
    void entryDuringALossLeavesNoEntry() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Hold hold = lab.hold("a", false);
            HoldReference share = first(hold);
            ReentrantAcquisition next = reentries.acquisition("me", REQUEST);

            atOnce(thread -> {
                switch (thread) {
                    case 0 -> hold.markLost(LossReason.EXPIRED);
                    case 1 -> next.start();
                    default -> share.release();
                }
            });
            next.end();
            share.released();

            assertThat(reentries.size()).as("round " + round).isZero();
        }
    }

    private HoldReference first(Hold hold) {
        ReentrantAcquisition visit = reentries.acquisition("me", REQUEST);
        visit.start();
        return visit.acquired(hold);
    }

    private List<HoldReference> shares() {
        List<HoldReference> shares = new ArrayList<>(List.of(first(lab.hold("a", false))));
        while (shares.size() < THREADS) {
            ReentrantAcquisition again = reentries.acquisition("me", REQUEST);
            assertThat(again.start()).isEqualTo(Step.done(ReentrantAcquisition.Outcome.ENTERED));
            shares.add(again.share());
        }
        return shares;
    }

    private void atOnce(IntConsumer work) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int mine = thread;
            all.add(threads.submit(() -> {
                start.await();
                work.accept(mine);
                return null;
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
    }
}
