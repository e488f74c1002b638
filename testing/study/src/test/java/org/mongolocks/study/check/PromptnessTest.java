package org.mongolocks.study.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.study.check.Violation.Finding.ACQUIRE_FAILED;
import static org.mongolocks.study.check.Violation.Finding.HAND_OVER_LATE;
import static org.mongolocks.study.check.Violation.Finding.LOCK_LOST;
import static org.mongolocks.study.check.Violation.Finding.LOSS_NOTICED_LATE;
import static org.mongolocks.study.check.Violation.Finding.STARVED;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Promptness.HandoverLimits;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/** Tests that the bounds of a row are checked, and no others. */
class PromptnessTest {
    private static final HandoverLimits HAND_OVER = HandoverLimits.NONE.handOver(Duration.ofNanos(50));
    private static final HandoverLimits NOTICE = HandoverLimits.NONE.lossNotice(Duration.ofNanos(50));

    private final Script script = new Script();

    private List<Finding> found(HandoverLimits bounds) {
        return Checker.check(script.history(), Script.LEASED, bounds).violations().stream()
                .map(Violation::finding)
                .toList();
    }

    @Test
    void aHandOverIsLateWhenTheWaiterAskedLongBefore() {
        script.at(0).asks(1).asks(2).at(10).gets(1, 5, 1).at(20).releases(1).released(1, 2);
        script.at(71).gets(2, 6, 3);

        assertThat(found(HAND_OVER)).containsExactly(HAND_OVER_LATE);
        assertThat(found(HandoverLimits.NONE)).isEmpty();
    }

    @Test
    void aHandOverIsInTimeWhenTheWaiterAskedLate() {
        script.at(0).asks(1).at(10).gets(1, 5, 1).at(20).releases(1).released(1, 2);
        script.at(60).asks(2).at(110).gets(2, 6, 3);

        assertThat(found(HAND_OVER)).isEmpty();
    }

    @Test
    void theEndOfALeaseIsAHandOver() {
        script.at(0).asks(1).asks(2).at(10).gets(1, 5, 1).at(1_061).gets(2, 6, 2);

        assertThat(found(HAND_OVER)).containsExactly(HAND_OVER_LATE);
    }

    @Test
    void theEndOfARenewedLeaseIsAHandOver() {
        script.at(0)
                .asks(1)
                .asks(2)
                .at(10)
                .gets(1, 5, 1)
                .at(500)
                .renews(1)
                .at(1_550)
                .gets(2, 6, 2);

        assertThat(found(HAND_OVER)).isEmpty();
    }

    @Test
    void aGuardedTransactionRenewsTheLease() {
        script.at(0).asks(1).asks(2).at(10).gets(1, 5, 1).at(500).happens(Op.WRITE_GUARDED, Phase.OK, 1);
        script.at(1_550).gets(2, 6, 2);

        assertThat(found(HAND_OVER)).isEmpty();
    }

    @Test
    void aReleaseAfterTheEndOfALeaseIsNoEarlierHandOver() {
        script.at(0)
                .asks(1)
                .asks(2)
                .at(10)
                .gets(1, 5, 1)
                .at(1_050)
                .releases(1)
                .released(1, 0)
                .at(1_061)
                .gets(2, 6, 3);

        assertThat(found(HAND_OVER)).containsExactly(HAND_OVER_LATE);
    }

    @Test
    void lossIsDetectedLateWhenTheHolderBelievesForLonger() {
        script.at(0).asks(1).at(10).gets(1, 5, 1).at(20).recordFault(Op.DISCARDED, Phase.OK, 0);
        script.at(71).happens(Op.LOST, Phase.OK, 1);

        assertThat(found(NOTICE)).containsExactly(LOSS_NOTICED_LATE);
        assertThat(found(HandoverLimits.NONE)).isEmpty();
    }

    @Test
    void aLossIsNoticedInTimeWhenTheHolderLearnsOrReleasesOrCrashes() {
        script.at(0).asks(1).at(10).gets(1, 5, 1).at(20).recordFault(Op.DISCARDED, Phase.OK, 0);
        script.at(60).happens(Op.LOST, Phase.OK, 1);
        script.at(80).asks(2).gets(2, 6, 2).at(90).recordFault(Op.DISCARDED, Phase.OK, 0);
        script.at(100).releases(2);
        script.at(110).asks(3).gets(3, 7, 3).at(120).recordFault(Op.DISCARDED, Phase.OK, 0);
        script.at(130).recordFault(Op.CRASH, Phase.OK, 3);

        assertThat(found(NOTICE)).isEmpty();
    }

    @Test
    void theEndOfALeaseIsNoticedLateWhenItsHolderLearnsOfItLateOrNever() {
        script.at(0).asks(1).at(10).gets(1, 5, 1).at(1_061).happens(Op.LOST, Phase.OK, 1);
        script.at(1_100).asks(2).gets(2, 6, 2).at(2_151).releases(2).released(2, 3);
        script.at(2_200).asks(3).gets(3, 7, 4).at(3_251).recordFault(Op.FAULT, Phase.OK, 0);

        assertThat(found(NOTICE)).containsExactly(LOSS_NOTICED_LATE, LOSS_NOTICED_LATE, LOSS_NOTICED_LATE);
        assertThat(found(HandoverLimits.NONE)).isEmpty();
    }

    @Test
    void theEndOfALeaseIsNoticedInTimeAfterARenewalOrAPauseOrACrash() {
        script.at(0).asks(1).at(10).gets(1, 5, 1).at(500).renews(1).at(1_550).happens(Op.LOST, Phase.OK, 1);
        script.at(1_600).asks(2).gets(2, 6, 2).at(1_700).recordFault(Op.PAUSE, Phase.INVOKE, 2);
        script.at(5_000).recordFault(Op.PAUSE, Phase.OK, 2).at(5_050).happens(Op.LOST, Phase.OK, 2);
        script.at(5_100).asks(3).gets(3, 7, 3).at(5_200).recordFault(Op.CRASH, Phase.OK, 3);
        script.at(9_000).recordFault(Op.FAULT, Phase.OK, 0);

        assertThat(found(NOTICE)).isEmpty();
    }

    @Test
    void othersThanTheLosersLoseNoLock() {
        script.at(0).asks(1).at(10).gets(1, 5, 1).at(20).happens(Op.LOST, Phase.OK, 1);

        assertThat(found(HandoverLimits.NONE.lossesOnlyOf(Set.of(2)))).containsExactly(LOCK_LOST);
        assertThat(found(HandoverLimits.NONE.lossesOnlyOf(Set.of(1)))).isEmpty();
        assertThat(found(HandoverLimits.NONE)).isEmpty();
    }

    @Test
    void aClientThatAsksAndIsNeverGrantedHasStarved() {
        script.at(0).asks(1).asks(2).at(10).gets(1, 5, 1).at(20).releases(1).released(1, 2);
        script.at(30).isContended(2);

        assertThat(found(HandoverLimits.NONE.shared())).containsExactly(STARVED);
        assertThat(found(HandoverLimits.NONE)).isEmpty();
    }

    @Test
    void anAcquisitionThatEndsWithAFaultHasFailed() {
        script.at(0).asks(1).asks(2).at(10).isRefused(1, "").at(20).isRefused(2, "AMBIGUOUS");

        assertThat(found(HandoverLimits.NONE.withoutFailures())).containsExactly(ACQUIRE_FAILED);
        assertThat(found(HandoverLimits.NONE)).isEmpty();
    }
}
