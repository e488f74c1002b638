package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.FakeStrategy.fails;
import static org.mongolocks.internal.hold.HoldingLab.TTL;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.internal.LogHandler;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Tests of the releases of a client that is closed while the server does not answer, as during an election. */
class ClosingReleaseTest {
    /** Of the time for closing, and longer than the retries of one release. */
    private static final Duration OUTAGE = Lab.CLOSE_TIMEOUT.multipliedBy(4).dividedBy(5);

    private final HoldingLab lab = new HoldingLab();
    private Step<Boolean> reply = fails(Fault.NOT_SENT);

    ClosingReleaseTest() {
        lab.strategy.answersReleases(() -> reply);
    }

    private void hold(int locks) {
        IntStream.range(0, locks).forEach(i -> lab.hold("a" + i, false));
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_SENT", "AMBIGUOUS", "TRANSIENT", "UNKNOWN_COMMIT"})
    @Tag("finds:release-given-up-while-closing")
    void releasesAreRepeatedUntilTheServerAnswers(Fault fault) {
        reply = fails(fault);
        hold(1);
        CompletableFuture<Void> closed = lab.holds().close();
        lab.timer.advance(OUTAGE);
        assertThat(closed).isNotDone();

        reply = Step.done(true);
        lab.timer.advance(Lab.CLOSE_TIMEOUT.minus(OUTAGE));

        assertThat(closed).isCompleted();
        assertThat(lab.holds().unreleased()).isZero();
        assertThat(lab.timer.size()).isZero();
    }

    /** A transaction may block the document of one lock. */
    @Test
    void blockedReleaseDelaysNoOther() {
        lab.strategy.answersCommonReleases(() -> reply);
        lab.strategy.answersReleases(() -> Step.done(true));
        reply = fails(Fault.AMBIGUOUS);
        hold(HoldRegistry.MAX_TOGETHER);
        CompletableFuture<Void> closed = lab.holds().close();

        lab.timer.advance(Lab.CLOSE_TIMEOUT);

        assertThat(closed).isCompleted();
        assertThat(lab.holds().unreleased()).isLessThan(2);
    }

    @Test
    void releaseOfAHolderThatFailsWhileTheClientIsClosedIsRepeated() {
        Hold hold = lab.hold("a", false);
        Step<Boolean> begun = hold.releaseProgram(lab.settings());
        assertThat(lab.holds().close()).isCompleted();
        lab.lab.run(begun);
        CompletableFuture<Void> released = lab.holds().allReleased();
        assertThat(released).isNotDone();

        reply = Step.done(true);
        lab.timer.advance(Lab.CLOSE_TIMEOUT);

        assertThat(released).isCompleted();
        assertThat(lab.holds().unreleased()).isZero();
    }

    @Test
    void releaseThatCannotBeginIsRepeatedAndTheOthersAreSent() {
        reply = Step.done(true);
        hold(1);
        lab.broken = true;
        try {
            CompletableFuture<Void> unused = lab.holds().close();
        } catch (LinkageError e) {
            assertThat(e).hasMessage("no thread, for a test");
        }
        lab.broken = false;

        lab.timer.advance(Lab.CLOSE_TIMEOUT);

        assertThat(lab.strategy.calls).hasSize(1);
        assertThat(lab.holds().unreleased()).isZero();
    }

    @Test
    void lockWhoseLeaseHasEndedIsNotReleasedAgain() {
        hold(1);
        lab.timer.advance(TTL.minus(HoldingLab.MARGIN).minus(Duration.ofMillis(1)));

        CompletableFuture<Void> closed = lab.holds().close();
        lab.timer.advance(HoldingLab.BACKOFF);

        assertThat(closed).isCompleted();
        assertThat(lab.holds().unreleased()).isZero();
    }

    @Test
    void theLogNamesTheNumberThatIsLeftAtTheEnd() throws InterruptedException {
        hold(3);
        CountDownLatch logged = new CountDownLatch(1);
        Logger logger = Logger.getLogger("org.mongolocks");
        LogHandler handler = new LogHandler(entry -> {
            if (entry.getMessage().startsWith("3 locks could not be released")) {
                logged.countDown();
            }
        });
        logger.addHandler(handler);
        try {
            CompletableFuture<Void> closed = lab.holds().close();
            lab.timer.advance(Lab.CLOSE_TIMEOUT);

            assertThat(closed).isCompleted();
            assertThat(logged.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(lab.holds().unreleased()).isEqualTo(3);
        assertThat(lab.timer.size()).isZero();
    }
}
