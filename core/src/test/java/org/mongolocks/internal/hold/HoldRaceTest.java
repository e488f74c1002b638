package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mongolocks.LossReason;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.Step;

class HoldRaceTest {
    private static final int ROUNDS = 500;
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    private static @Nullable Level level;

    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy().releases(Step.done(true));

    @BeforeAll
    static void silenceLogOfLosses() {
        level = LOCKS.getLevel();
        LOCKS.setLevel(Level.OFF);
    }

    @AfterAll
    static void restoreLog() {
        LOCKS.setLevel(level);
    }

    @Test
    void noInterruptComesAfterTheRelease() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Hold hold = new Hold(lab.lease(), lab.time, Runnable::run);
            Thread loser = new Thread(() -> hold.markLost(LossReason.FORCED));
            hold.interruptOnLoss(this, Thread.currentThread());
            loser.start();

            hold.releaseProgram(lab.settings(strategy));
            boolean interrupted = Thread.interrupted();
            boolean lost = hold.loss().isPresent();
            loser.join();

            assertThat(interrupted).isEqualTo(lost);
            assertThat(hold.hasInterrupted(Thread.currentThread())).isEqualTo(lost);
            assertThat(Thread.interrupted()).as("a late interrupt").isFalse();
        }
    }

    @Test
    void theThreadThatFindsTheLossIsNotInterrupted() {
        Hold hold = new Hold(lab.lease(), lab.time, Runnable::run);
        hold.interruptOnLoss(this, Thread.currentThread());

        hold.markLost(LossReason.FORCED);

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void interruptRequestedAfterTheLossIsSentAtOnce() {
        Hold hold = new Hold(lab.lease(), lab.time, Runnable::run);
        hold.markLost(LossReason.FORCED);

        hold.interruptOnLoss(this, Thread.currentThread());

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void eachHandleHasItsThreadInterruptedUnlessItWasReleased() throws Exception {
        Hold hold = new Hold(lab.lease(), lab.time, Runnable::run);
        Thread outer = new Thread(LockSupport::park);
        hold.interruptOnLoss("outer", outer);
        hold.interruptOnLoss("inner", Thread.currentThread());
        hold.endInterrupt("inner");
        outer.start();

        Thread finder = new Thread(() -> hold.markLost(LossReason.FORCED));
        finder.start();
        finder.join();
        outer.join();

        assertThat(hold.hasInterrupted(outer)).isTrue();
        assertThat(hold.hasInterrupted(Thread.currentThread())).isFalse();
        assertThat(Thread.interrupted()).isFalse();
    }
}
