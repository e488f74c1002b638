package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.Lease;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class HoldTest {
    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy();
    private final Lease lease = lab.lease();
    private final Hold hold = new Hold(lease, lab.time, Runnable::run);
    private final List<LossReason> told = new ArrayList<>();

    @Test
    void anyNumberOfProgramsIsSignalledAlsoIfSomeFail() {
        for (int i = 0; i < 100_000; i++) {
            hold.signalLoss((lost, reason) -> told.add(reason));
        }
        hold.signalLoss((lost, reason) -> {
            throw new AssertionError("A signal that fails, for a test");
        });
        hold.signalLoss((lost, reason) -> told.add(reason));

        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> hold.markLost(LossReason.TAKEN_OVER));

        assertThat(told).hasSize(100_001);
    }

    @Test
    void lateListenerIsNotifiedAtOnce() {
        hold.markLost(LossReason.FORCED);

        hold.onLost((lost, reason) -> told.add(reason));

        assertThat(told).containsExactly(LossReason.FORCED);
    }

    @Test
    @Tag("finds:loss-without-figures")
    void lossSaysWhatToChange() {
        assertLossIs(
                "EXPIRED",
                "its ttl of 10s ended, and it was not kept alive: leave out fixedLease(), or use a longer ttl");

        hold.keepAlive(Optional.empty());
        assertLossIs(
                "EXPIRED",
                "its ttl of 10s ended without a renewal, although it was kept alive, as after a pause of the process:"
                        + " another owner may hold the lock now, so write the data with the fencing token, and use a"
                        + " longer ttl for longer pauses");
    }

    @Test
    @Tag("finds:loss-without-figures")
    void lossAfterTheLimitOfTheKeepAliveSaysSo() {
        hold.keepAlive(Optional.of(Lab.TTL));
        hold.endKeepAlive();

        assertLossIs(
                "EXPIRED",
                "its ttl of 10s ended, and the limit of its keep-alive was reached: raise the limit, or use a longer ttl");
    }

    @Test
    @Tag("finds:loss-without-figures")
    void lossThatARenewalCouldNotPreventSaysSo() {
        hold.keepAlive(Optional.empty());
        hold.markRenewing();

        assertLossIs(
                "RENEWAL_FAILED",
                "no renewal was answered within its ttl of 10s, and it was kept alive: see why the server does not answer,"
                        + " or use a longer ttl");
    }

    @ParameterizedTest
    @EnumSource(names = {"TAKEN_OVER", "FORCED", "CLIENT_CLOSED"})
    @Tag("finds:loss-without-figures")
    void lossByOthersNamesTheTtlToo(LossReason reason) {
        hold.markLost(reason);

        assertThat(hold.lossException(null))
                .hasMessageContaining("(" + reason + ")")
                .hasMessageContaining("its ttl was 10s, and it was not kept alive");
    }

    private void assertLossIs(String reason, String details) {
        lab.time.advance(Lab.TTL);
        assertThat(hold.isHeld()).isFalse();

        assertThat(hold.lossException(null))
                .hasMessage("Lock 'a' was lost (" + reason + ") before the guarded action ended: " + details);
    }

    @Test
    void aReleaseBeforeTheMinimumKeepsTheLockHeldForTheRest() {
        strategy.releases(Step.done(true));
        hold.holdAtLeast(Duration.ofSeconds(5));
        lab.time.advance(Duration.ofSeconds(2));

        assertThat(release()).isTrue();

        assertThat(strategy.calls).containsExactly("release a after PT3.002S");
        assertThat(hold.isHeld()).isFalse();
        assertThat(hold.loss()).isEmpty();
    }

    @Test
    void theLaterOfTwoMinimaIsInForce() {
        strategy.releases(Step.done(true));
        hold.holdAtLeast(Duration.ofSeconds(5));
        lab.time.advance(Duration.ofSeconds(2));
        hold.holdAtLeast(Duration.ofSeconds(1));
        hold.holdAtLeast(Duration.ofSeconds(4));

        assertThat(release()).isTrue();

        assertThat(strategy.calls).containsExactly("release a after PT4.002S");
        assertThatIllegalArgumentException().isThrownBy(() -> hold.holdAtLeast(Duration.ofSeconds(-1)));
    }

    @Test
    void aRepeatedReleaseHasTheRestThatIsLeftByThen() {
        strategy.releases(FakeStrategy.fails(Fault.NOT_SENT)).releases(Step.done(true));
        hold.holdAtLeast(Duration.ofSeconds(5));

        assertThat(release()).isTrue();

        assertThat(strategy.calls)
                .containsExactly("release a after PT5.002S", "release a after " + Duration.ofMillis(4992));
    }

    @Test
    void aLeaseOfNoOwnerShowsThatALostReplyWasARelease() {
        strategy.releases(FakeStrategy.fails(Fault.AMBIGUOUS))
                .releases(Step.done(false))
                .shows(LockSnapshot.of(
                                lease.name(), Optional.of(lease.owner().storedAfterRelease()), lease.fencingToken(), 2)
                        .lease(Lab.TTL, Optional.empty(), Optional.empty()));
        hold.holdAtLeast(Duration.ofSeconds(5));

        assertThat(release()).isTrue();
    }

    @Test
    void aReleaseThatFailedCanBeRepeated() {
        strategy.releases(FakeStrategy.fails(Fault.REJECTED)).releases(Step.done(true));

        assertThat(lab.run(hold.releaseProgram(lab.settings(strategy)))).isInstanceOf(Step.Fail.class);
        assertThat(hold.isHeld()).isFalse();
        assertThat(release()).isTrue();
    }

    /** The release that got no reply may have been executed, whatever the server answered to the next one. */
    @Test
    void aReleaseThatWasExecutedBeforeARefusalIsNoLoss() {
        strategy.releases(FakeStrategy.fails(Fault.AMBIGUOUS))
                .releases(FakeStrategy.fails(Fault.REJECTED))
                .releases(Step.done(false))
                .shows(LockSnapshot.of(lease.name(), Optional.empty(), lease.fencingToken(), 2)
                        .lease(Lab.TTL, Optional.empty(), Optional.empty()));
        assertThat(lab.run(hold.releaseProgram(lab.settings(strategy)))).isInstanceOf(Step.Fail.class);

        assertThat(release()).isTrue();

        assertThat(hold.loss()).isEmpty();
    }

    /** The thread of the caller may be late: the client already repeats the release. */
    @Test
    void aCallerThatRecordsItsFailureLateDoesNotEndTheRepetition() {
        strategy.releases(FakeStrategy.fails(Fault.AMBIGUOUS));
        assertThat(lab.run(hold.releaseProgram(lab.settings(strategy)))).isInstanceOf(Step.Fail.class);
        Step<Boolean> repetition = hold.releaseAgain(lab.settings(strategy));
        boolean isIgnored = hold.recordReleaseFailed();
        strategy.releases(Step.done(true));

        assertThat(isIgnored).isFalse();
        assertThat(lab.result(repetition)).isTrue();
        assertThat(release()).isTrue();
    }

    @Test
    void aFailedReleaseOfALostLockIsNoFailure() {
        strategy.releases(FakeStrategy.fails(Fault.NOT_SENT));
        hold.markLost(LossReason.TAKEN_OVER);

        assertThat(release()).isFalse();

        assertThat(strategy.calls).as("one attempt").hasSize(1);
    }

    @Test
    void aFailedReleaseAfterTheLeaseFindsTheLoss() {
        hold.onLost((lost, reason) -> told.add(reason));
        strategy.releases(FakeStrategy.fails(Fault.REJECTED));
        lab.time.advance(Lab.TTL);

        assertThat(release()).isFalse();

        assertThat(hold.loss()).contains(LossReason.EXPIRED);
        assertThat(told).containsExactly(LossReason.EXPIRED);
    }

    @Test
    void aReleaseThatIsRepeatedAfterTheLeaseIsNeitherAFailureNorALoss() {
        strategy.releases(FakeStrategy.fails(Fault.REJECTED)).releases(FakeStrategy.fails(Fault.REJECTED));
        assertThat(lab.run(hold.releaseProgram(lab.settings(strategy)))).isInstanceOf(Step.Fail.class);
        lab.time.advance(Lab.TTL);

        assertThat(release()).isFalse();

        assertThat(hold.loss()).isEmpty();
    }

    private boolean release() {
        return lab.result(hold.releaseProgram(lab.settings(strategy)));
    }
}
