package org.mongolocks.internal.acquire;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mongolocks.internal.wait.SetLab.MARGIN;
import static org.mongolocks.internal.wait.SetLab.PATIENT;
import static org.mongolocks.internal.wait.SetLab.TTL;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.LossReason;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.internal.wait.LockTable;
import org.mongolocks.internal.wait.SetLab;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Tests that acquire several locks of a strategy that grants them one by one. */
class MultiLockAcquisitionTest {
    private final SetLab lab = new SetLab();
    private final LockTable table = lab.table;

    @Test
    void locksAreAcquiredInTheOrderOfTheirNamesByOneOwner() {
        List<Hold> held = lab.held(lab.begin(ZERO, "c", "a", "b"));

        assertThat(table.calls).containsExactly("acquire a", "acquire b", "acquire c");
        assertThat(held).extracting(hold -> hold.lease().name().value()).containsExactly("a", "b", "c");
        assertThat(held).extracting(hold -> hold.lease().fencingToken()).containsExactly(1L, 2L, 3L);
        assertThat(held).extracting(hold -> hold.lease().owner()).containsOnly(Lab.OWNER);
        assertThat(held).allMatch(Hold::isHeld);
    }

    @Test
    void heldLocksAreKeptAliveWhileTheNextIsWaitedFor() {
        table.heldByAnother("b");
        lab.after(Duration.ofSeconds(30), () -> table.freed("b"));

        List<Hold> held = lab.held(lab.begin(PATIENT, "a", "b"));

        assertThat(held).hasSize(2).allMatch(Hold::isHeld);
        assertThat(table.calls.stream().filter("renew a"::equals)).hasSizeGreaterThan(7);
    }

    @Test
    void leasesOfWhichMuchHasPassedAreRenewedTogether() {
        table.heldByAnother("c");
        table.fails("renew all 2", Fault.NOT_SENT);
        lab.after(Duration.ofMillis(5_150), () -> {
            table.heals();
            table.freed("c");
            table.calls.clear();
        });

        lab.held(lab.begin(PATIENT, "a", "b", "c"));

        assertThat(table.calls).containsOnlyOnce("acquire c");
        assertThat(table.calls.get(table.calls.size() - 1)).isEqualTo("renew all 2");
    }

    @Test
    void aLockWithoutKeepAliveIsNotRenewedAnyMoreOnceItIsGranted() {
        List<Hold> held = lab.held(lab.begin(ZERO, "a", "b"));

        lab.timer.advance(TTL);

        assertThat(table.calls).containsExactly("acquire a", "acquire b");
        assertThat(held).allMatch(hold -> hold.loss().orElseThrow() == LossReason.EXPIRED);
    }

    @Test
    void locksWithKeepAliveOutliveTheirLeases() {
        MultiLockRequest request = MultiLockRequest.of(List.of("a", "b"), TTL);

        List<Hold> held = lab.held(lab.begin(request));
        lab.timer.advance(TTL.multipliedBy(3));

        assertThat(held).allMatch(Hold::isHeld);
    }

    @Test
    void ambiguousGrantIsIndeterminateAndTheOtherLocksAreReleased() {
        table.fails("acquire b", Fault.AMBIGUOUS);
        table.fails("release b", Fault.NOT_SENT);

        AcquireResult outcome = lab.outcome(lab.begin(ZERO, "a", "b"));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        AcquireResult.Unknown.class,
                        unknown -> assertThat(unknown.outcome().owner()).isEqualTo(Lab.OWNER));
        assertThat(table.holders).containsOnlyKeys("b");
    }

    @Test
    void failedReleaseIsReportedAndTheOtherLocksAreReleased() {
        table.heldByAnother("c");
        table.fails("release a", Fault.NOT_SENT);

        MultiLockAcquisition acquisition = lab.begin(ZERO, "a", "b", "c");

        assertThat(lab.outcome(acquisition)).isInstanceOf(AcquireResult.Unknown.class);
        assertThat(table.holders).containsOnlyKeys("a", "c");
        assertThat(acquisition.needsCompensation()).isFalse();
    }

    /** A compensation beside it would send each of these releases twice. */
    @Test
    void releaseOfAnAcquiredLockThatGotNoReplyIsRepeatedByTheClientAlone() {
        table.heldByAnother("b");
        table.fails("release a", Fault.NOT_SENT);
        MultiLockAcquisition acquisition = lab.begin(ZERO, "a", "b");
        lab.outcome(acquisition);
        table.heals();

        assertThat(acquisition.pendingCompensation()).isEmpty();
        lab.timer.advance(SetLab.TTL.dividedBy(2));

        assertThat(table.holders).containsOnlyKeys("b");
    }

    @Test
    void theLossOfOneEndsTheWaitForTheNextAtOnce() {
        table.heldByAnother("c");
        lab.after(Duration.ofSeconds(1), () -> table.holders.put("a", "thief"));

        long start = lab.lab.time.nanoTime();
        AcquireResult outcome = lab.outcome(lab.begin(PATIENT, "a", "b", "c"));

        assertThat(outcome).isInstanceOfSatisfying(AcquireResult.Lost.class, lost -> {
            assertThat(lost.hold().lease().name().value()).isEqualTo("a");
            assertThat(lost.reason()).isEqualTo(LossReason.TAKEN_OVER);
        });
        assertThat(Duration.ofNanos(lab.lab.time.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        assertThat(table.holders).containsOnlyKeys("a", "c").containsEntry("a", "thief");
        assertThat(lab.queues.isEmpty()).isTrue();
    }

    @Test
    void lossOfOneLockWakesTheWaiter() {
        table.heldByAnother("b");
        Step.Pause<AcquireResult> pause =
                (Step.Pause<AcquireResult>) lab.begin(PATIENT, "a", "b").start();
        assertThat(pause.wakeUp().orElseThrow()).isNotDone();

        table.holders.put("a", "thief");
        lab.timer.advance(TTL.dividedBy(2));

        assertThat(pause.wakeUp().orElseThrow()).isDone();
    }

    @Test
    void lossOfOneLockIsReportedWithItsNameAndReason() {
        table.heldByAnother("b");
        lab.after(Duration.ofSeconds(1), () -> table.holders.put("a", "thief"));
        AcquireResult outcome = lab.outcome(lab.begin(PATIENT, "a", "b"));

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> outcome.held(LockTask.withoutLock("Acquiring locks 'a', 'b'")))
                .withMessage(
                        "Acquiring locks 'a', 'b' was aborted: lock 'a' was lost (TAKEN_OVER) before all were held:"
                                + " its ttl was 10s, and it was kept alive;"
                                + " the others have been released");
    }

    @Test
    void aLossThatIsFoundWhenTheLocksAreGrantedHasTheOthersReleased() {
        table.heldByAnother("c");
        table.fails("renew all 2", Fault.NOT_SENT);
        lab.after(Duration.ofMillis(5_150), () -> {
            table.heals();
            table.freed("c");
            table.holders.put("b", "thief");
        });

        assertThat(lab.outcome(lab.begin(PATIENT, "a", "b", "c"))).isInstanceOf(AcquireResult.Lost.class);

        assertThat(table.holders).containsOnlyKeys("b");
    }

    @Test
    void aRunThatIsCutShortHasEverythingCompensated() {
        table.heldByAnother("c");
        MultiLockAcquisition acquisition = lab.begin(PATIENT, "a", "b", "c");
        assertThat(acquisition.start()).isInstanceOf(Step.Pause.class);
        assertThat(acquisition.needsCompensation()).isTrue();

        assertThat(lab.run(acquisition.compensate())).isEqualTo(Step.done(true));
        acquisition.close();

        assertThat(table.holders).containsOnlyKeys("c");
        assertThat(lab.holds.size()).isZero();
        assertThat(lab.queues.isEmpty()).isTrue();
    }

    @Test
    void aReleaseThatWasCutShortGoesOn() {
        table.heldByAnother("c");
        table.fails("release a", Fault.AMBIGUOUS);
        MultiLockAcquisition acquisition = lab.begin(ZERO, "a", "b", "c");
        assertThat(acquisition.start()).as("pauses before it releases again").isInstanceOf(Step.Pause.class);
        assertThat(acquisition.needsCompensation()).isTrue();
        table.heals();

        assertThat(lab.run(acquisition.compensate())).isInstanceOf(Step.Done.class);

        assertThat(table.holders).containsOnlyKeys("c");
    }

    @Test
    void grantsThatNoCallerReceivedAreCompensated() {
        MultiLockAcquisition acquisition = lab.begin(ZERO, "a", "b");
        lab.held(acquisition);

        assertThat(acquisition.needsCompensation()).isTrue();
        lab.run(acquisition.compensate());

        assertThat(table.holders).isEmpty();
    }

    @Test
    void aTtlWithinTheSkewMarginIsRefusedBeforeAnythingIsAsked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        lab.begin(MultiLockRequest.of(List.of("a"), MARGIN).fixedLease()))
                .withMessageContaining("exceed the skew margin");
        assertThat(table.calls).isEmpty();
    }
}
