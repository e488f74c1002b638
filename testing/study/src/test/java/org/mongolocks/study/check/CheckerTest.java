package org.mongolocks.study.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mongolocks.study.check.Violation.Finding.BELIEVED_TWICE;
import static org.mongolocks.study.check.Violation.Finding.DOCUMENT_OVERWRITTEN;
import static org.mongolocks.study.check.Violation.Finding.FOREIGN_RELEASE;
import static org.mongolocks.study.check.Violation.Finding.HELD_BY_NOBODY;
import static org.mongolocks.study.check.Violation.Finding.HELD_TWICE;
import static org.mongolocks.study.check.Violation.Finding.LEAK;
import static org.mongolocks.study.check.Violation.Finding.SLOW_HANDOVER;
import static org.mongolocks.study.check.Violation.Finding.STALE_FENCED;
import static org.mongolocks.study.check.Violation.Finding.STALE_TOUCH_FENCED;
import static org.mongolocks.study.check.Violation.Finding.STALE_UNFENCED;
import static org.mongolocks.study.check.Violation.Finding.TOKEN_REUSED;
import static org.mongolocks.study.check.Violation.Finding.TOKEN_WENT_BACK;
import static org.mongolocks.study.check.Violation.Finding.UPDATE_LOST;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Checker.Claims;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

class CheckerTest {
    private final Script script = new Script();

    private List<Finding> found(Claims claims) {
        return Checker.check(script.history(), claims).violations().stream()
                .map(Violation::finding)
                .distinct()
                .toList();
    }

    @Test
    void consecutiveHoldersHaveNoFindings() {
        script.oneAfterTheOther();

        assertThat(found(Script.LEASED)).isEmpty();
    }

    @Test
    void twoCertainHoldsAreFoundWithBothGrants() {
        script.at(0)
                .asks(1)
                .asks(2)
                .at(10)
                .gets(1, 5, 1)
                .at(20)
                .gets(2, 6, 2)
                .at(30)
                .releases(1)
                .releases(2);

        Verdict verdict = Checker.check(script.history(), Script.LEASED);

        assertThat(verdict.first(HELD_TWICE)).contains(new Violation(HELD_TWICE, 1, 2, 20));
    }

    @Test
    void aLeaseThatHasEndedIsNoHold() {
        script.at(0).asks(1).asks(2).at(10).gets(1, 5, 1).at(10 + Script.TTL).gets(2, 6, 2);

        assertThat(found(Script.LEASED)).isEmpty();
    }

    @Test
    void aRenewedLeaseIsHeldOn() {
        script.at(0)
                .asks(1)
                .asks(2)
                .at(10)
                .gets(1, 5, 1)
                .at(500)
                .renews(1)
                .at(1_100)
                .gets(2, 6, 2);

        assertThat(found(Script.LEASED)).containsExactly(BELIEVED_TWICE, HELD_TWICE);
    }

    @Test
    void withoutALeaseItIsHeldUntilItIsReleased() {
        script.at(0).asks(1).asks(2).at(10).gets(1, 1, 1).at(9_000).gets(2, 1, 2);

        assertThat(found(Script.UNLEASED)).contains(HELD_TWICE);
    }

    @Test
    void pausedOrCrashedProcessHoldsNothing() {
        script.at(0).asks(1).asks(2).asks(3).at(10).gets(1, 5, 1);
        script.at(20)
                .recordFault(Op.PAUSE, Phase.INVOKE, 1)
                .at(30)
                .gets(2, 6, 2)
                .at(40)
                .recordFault(Op.CRASH, Phase.OK, 2);
        script.at(50).gets(3, 7, 3).at(60).releases(3).at(70).recordFault(Op.PAUSE, Phase.OK, 1);

        assertThat(found(Script.LEASED)).containsExactly(HELD_TWICE);
    }

    @Test
    void reportedLossEndsTheHold() {
        script.at(0)
                .asks(1)
                .asks(2)
                .at(10)
                .gets(1, 5, 1)
                .at(15)
                .happens(Op.LOST, Phase.OK, 1)
                .at(20)
                .gets(2, 6, 2);

        assertThat(found(Script.LEASED)).isEmpty();
    }

    @Test
    void aTokenThatComesTwiceIsFound() {
        script.oneAfterTheOther();
        script.at(45).releases(2).at(46).released(2, 4).asks(3).at(50).gets(3, 6, 5);

        assertThat(found(Script.LEASED)).containsExactly(TOKEN_REUSED);
    }

    @Test
    void decreasingTokenIsFoundIfTheLargerWasGrantedBeforeTheRequest() {
        script.oneAfterTheOther();
        script.at(45).releases(2).at(46).released(2, 4).asks(3).at(50).gets(3, 4, 5);

        assertThat(found(Script.LEASED)).containsExactly(TOKEN_WENT_BACK);
    }

    @Test
    void aWriteAfterASuccessorsReadIsStale() {
        script.at(0)
                .asks(1)
                .asks(2)
                .at(10)
                .gets(1, 5, 1)
                .at(1_020)
                .gets(2, 6, 2)
                .happens(Op.TOUCH, Phase.OK, 2);
        script.at(1_030)
                .writes(Op.WRITE_UNFENCED, 1, 1)
                .writes(Op.WRITE_FENCED, 1, 1)
                .writes(Op.WRITE_TOUCH_FENCED, 1, 1);

        assertThat(found(Script.LEASED)).containsExactly(STALE_UNFENCED, STALE_FENCED, STALE_TOUCH_FENCED);
    }

    @Test
    void aWriteBeforeASuccessorsReadIsNotStale() {
        script.at(0).asks(1).asks(2).at(10).gets(1, 5, 1).at(1_020).gets(2, 6, 2);
        script.at(1_030).writes(Op.WRITE_UNFENCED, 1, 1).happens(Op.TOUCH, Phase.OK, 2);

        assertThat(found(Script.LEASED)).isEmpty();
    }

    @Test
    void aWriteThatOverwritesAnotherLosesAnUpdate() {
        script.oneAfterTheOther().writes(Op.WRITE_UNFENCED, 2, 1).writes(Op.WRITE_UNFENCED, 2, 1);

        assertThat(found(Script.LEASED)).containsExactly(UPDATE_LOST);
    }

    @Test
    void aReleaseThatFreesTheLockOfAnotherIsFound() {
        script.at(0)
                .asks(1)
                .asks(2)
                .at(10)
                .gets(1, 5, 1)
                .at(1_020)
                .gets(2, 6, 2)
                .at(1_030)
                .releases(1);
        script.at(1_040).released(1, 3);

        assertThat(found(Script.LEASED)).containsExactly(FOREIGN_RELEASE);
    }

    @Test
    void aReleaseThatWasExecutedBeforeTheNextGrantIsNotForeign() {
        script.at(0)
                .asks(1)
                .asks(2)
                .at(10)
                .gets(1, 5, 1)
                .at(20)
                .releases(1)
                .at(30)
                .gets(2, 6, 3)
                .at(40)
                .released(1, 2);

        assertThat(found(Script.LEASED)).isEmpty();
    }

    @Test
    void anUnansweredReleaseIsOpenAndAnUnansweredAcquisitionIsNoGrant() {
        script.at(0).asks(1).asks(2).asks(3).at(10).gets(1, 5, 1).at(20).releases(1);
        script.at(30)
                .happens(Op.RELEASE, Phase.INFO, 1)
                .happens(Op.ACQUIRE, Phase.INFO, 3)
                .at(40)
                .gets(2, 6, 2);

        Verdict verdict = Checker.check(script.history(), Script.LEASED);

        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.grants()).isEqualTo(2);
    }

    @Test
    void lockThatCannotBeAcquiredAtTheEndIsALeak() {
        script.oneAfterTheOther().recordFault(Op.PROBE, Phase.FAIL, 3);

        assertThat(found(Script.LEASED)).containsExactly(LEAK);
    }

    @Test
    void twoWritesFromOneVersionOverwriteTheDocument() {
        script.at(0)
                .asks(1)
                .asks(2)
                .at(10)
                .gets(1, 5, 1)
                .gets(2, 5, 2)
                .at(20)
                .releases(1)
                .released(1, 3);
        script.at(30).releases(2).released(2, 4);

        assertThat(found(new Claims(false, false, true))).containsExactly(BELIEVED_TWICE, DOCUMENT_OVERWRITTEN);
    }

    @Test
    void eventOfAnUnknownGrantIsRefused() {
        script.at(0).gets(7, 1, 1);

        assertThatThrownBy(() -> Checker.check(script.history(), Script.LEASED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No request for the grant");
    }

    @Test
    void contentionWithoutAHolderIsFound() {
        script.oneAfterTheOther()
                .at(50)
                .releases(2)
                .at(60)
                .released(2, 4)
                .at(70)
                .asks(3)
                .at(80)
                .isContended(3);

        Verdict verdict = Checker.check(script.history(), Script.LEASED);

        assertThat(verdict.violations()).containsExactly(new Violation(HELD_BY_NOBODY, 2, 3, 80));
    }

    @Test
    void aRefusalBesideAHolderOrAnotherAttemptIsNone() {
        script.oneAfterTheOther().at(45).asks(3).at(48).isContended(3);
        script.at(50).releases(2).at(60).released(2, 4);
        script.at(70).asks(4).asks(5).at(80).isContended(4).at(90).isContended(5);

        assertThat(found(Script.LEASED)).isEmpty();
    }

    /** The lease of the server began when it executed the request, later than its holder counts. */
    @Test
    @Tag("finds:soak-refusal-unexplained")
    void aRefusalIsNoneAfterAReleaseThatFoundTheLockLost() {
        script.oneAfterTheOther()
                .at(50)
                .releases(2)
                .at(51)
                .happens(Op.RELEASE, Phase.FAIL, 2)
                .at(60)
                .asks(3)
                .at(65)
                .isContended(3);

        assertThat(found(Script.LEASED)).isEmpty();
    }

    @Test
    void aRefusalLongAfterAReleaseThatFoundTheLockLostIsFound() {
        script.oneAfterTheOther()
                .at(50)
                .releases(2)
                .at(51)
                .happens(Op.RELEASE, Phase.FAIL, 2)
                .at(52 + 3 * Script.TTL)
                .asks(3)
                .at(53 + 3 * Script.TTL)
                .isContended(3);

        assertThat(found(Script.LEASED)).containsExactly(HELD_BY_NOBODY);
    }

    @Test
    void aRefusalIsNoneForLeasesAfterACrashOrAnUnknownEnd() {
        script.oneAfterTheOther().at(50).recordFault(Op.CRASH, Phase.OK, 2);
        script.at(60).asks(3).at(61).isContended(3);
        script.at(70).asks(4).at(75).isRefused(4, "AMBIGUOUS");
        script.at(80).asks(5).at(85).isContended(5);

        assertThat(found(Script.LEASED)).isEmpty();
    }

    @Test
    void forceReleaseOfAnotherOwnerThanTheOneSeenIsFound() {
        script.at(0).asks(1).asks(2).at(10).gets(2, 5, 1).at(20).forces(1, 2);

        assertThat(Checker.check(script.history(), Script.LEASED).first(FOREIGN_RELEASE))
                .contains(new Violation(FOREIGN_RELEASE, 1, 2, 20));
    }

    @Test
    void anOperatorMayFreeTheOneSeenAndAnEndedLease() {
        script.at(0).asks(1).asks(2).at(10).gets(2, 5, 1).at(20).forces(2, 2);
        script.at(20 + Script.TTL).forces(1, 3);

        assertThat(found(Script.LEASED)).isEmpty();
    }

    @Test
    void handOversThatAreSlowAtTheMedianAreFound() {
        handOvers(5, 40);

        assertThat(slow(30)).containsExactly(SLOW_HANDOVER);
        assertThat(slow(40)).isEmpty();
        assertThat(found(Script.LEASED)).isEmpty();
    }

    @Test
    void historyWithoutWaitersHasNoHandOver() {
        for (int grant = 1; grant <= 9; grant++) {
            script.at(grant * 1_000L).asks(grant).at(grant * 1_000L + 500).gets(grant, grant, 2L * grant);
            script.at(grant * 1_000L + 510).releases(grant).released(grant, 2L * grant + 1);
        }

        assertThat(slow(0)).isEmpty();
    }

    /** Adds hand-overs: each client waits while the one before holds the lock. */
    private void handOvers(int count, long nanos) {
        script.at(0).asks(1).gets(1, 1, 1);
        for (int grant = 2; grant <= count + 1; grant++) {
            script.at(grant * 100L).asks(grant).releases(grant - 1).released(grant - 1, 2L * grant);
            script.at(grant * 100L + nanos).gets(grant, grant, 2L * grant + 1);
        }
    }

    private List<Finding> slow(long medianNanos) {
        return Checker.check(script.history().withHandover(medianNanos), Script.LEASED).violations().stream()
                .map(Violation::finding)
                .toList();
    }
}
