package org.mongolocks.study.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/** Handwritten histories; the ttl is 1000 ns. */
class HolderCheckTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(6);

    private final Script script = new Script();

    private Verdict verdict() {
        return HolderCheck.check(script.history(), Script.UNLEASED, Duration.ZERO);
    }

    /** The first loses its lock to the second at 1200. */
    private Script lost() {
        return script.at(0).asks(1).asks(2).at(10).gets(1, 0, 0).at(1200).gets(2, 0, 0);
    }

    /** The first has the lock from 10 to 20. */
    private Script released() {
        return script.at(0).asks(1).at(10).gets(1, 0, 0).at(20).releases(1);
    }

    @Test
    void oneAfterTheOtherIsSound() {
        script.oneAfterTheOther();

        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().longestNanos()).containsOnlyKeys(Finding.LEFT_FREE).containsEntry(Finding.LEFT_FREE, 20L);
    }

    @Test
    void lossIsTimedUntilTheHolderIsTold() {
        lost().at(1500)
                .happens(Op.LOST, Phase.OK, 1)
                .at(1600)
                .releases(1)
                .at(1700)
                .released(1, 0);

        assertThat(verdict().has(Finding.LOSS_NOT_TOLD)).isFalse();
        assertThat(verdict().longestNanos()).containsEntry(Finding.LOSS_NOT_TOLD, 300L);
    }

    @Test
    void refusedReleaseTellsAHolder() {
        lost().at(1600).releases(1).at(1700).happens(Op.RELEASE, Phase.FAIL, 1);

        assertThat(verdict().has(Finding.LOSS_NOT_TOLD)).isFalse();
        assertThat(verdict().longestNanos()).containsEntry(Finding.LOSS_NOT_TOLD, 500L);
    }

    @Test
    void holderWhoseReleaseSucceedsAfterItsLossIsNeverTold() {
        lost().at(1600).releases(1).at(1700).released(1, 0);

        assertThat(verdict().first(Finding.LOSS_NOT_TOLD)).hasValue(new Violation(Finding.LOSS_NOT_TOLD, 1, 2, 1600));
    }

    @Test
    void aPausedHolderCanBeToldWhenItResumes() {
        script.at(0)
                .asks(1)
                .asks(2)
                .at(10)
                .gets(1, 0, 0)
                .at(100)
                .recordFault(Op.PAUSE, Phase.INVOKE, 1)
                .at(1200)
                .gets(2, 0, 0)
                .at(1300)
                .recordFault(Op.PAUSE, Phase.INVOKE, 2)
                .at(5000)
                .recordFault(Op.PAUSE, Phase.OK, 1)
                .recordFault(Op.PAUSE, Phase.OK, 2)
                .at(5100)
                .happens(Op.LOST, Phase.OK, 1)
                .releases(1);

        assertThat(verdict().longestNanos()).containsEntry(Finding.LOSS_NOT_TOLD, 100L);
    }

    @Test
    void aLaterPauseHidesNoTime() {
        lost().at(1500)
                .happens(Op.LOST, Phase.OK, 1)
                .releases(1)
                .recordFault(Op.PAUSE, Phase.INVOKE, 1)
                .at(5000)
                .recordFault(Op.PAUSE, Phase.OK, 1);

        assertThat(verdict().longestNanos()).containsEntry(Finding.LOSS_NOT_TOLD, 300L);
    }

    @Test
    void aHolderThatWasToldOfItsOwnLossHasTakenNothing() {
        lost().at(1300)
                .happens(Op.LOST, Phase.OK, 2)
                .at(1600)
                .releases(1)
                .at(1700)
                .released(1, 0);

        assertThat(verdict().has(Finding.LOSS_NOT_TOLD)).isFalse();
    }

    @Test
    void aHolderWhoseReplyWasOvertakenHasTakenNothing() {
        lost().at(1250)
                .releases(1)
                .at(1260)
                .released(1, 0)
                .at(1300)
                .happens(Op.LOST, Phase.OK, 2)
                .at(1310)
                .asks(3)
                .at(1320)
                .gets(3, 0, 0);

        assertThat(verdict().has(Finding.LOSS_NOT_TOLD)).isFalse();
    }

    @Test
    void aKilledHolderNeedNotBeTold() {
        lost().at(1300).recordFault(Op.CRASH, Phase.OK, 1);

        assertThat(verdict().longestNanos()).doesNotContainKey(Finding.LOSS_NOT_TOLD);
    }

    @Test
    void thirdHolderAfterTheReleaseOfALostLockShowsAForeignRelease() {
        lost().at(1600).asks(3).releases(1).at(1700).released(1, 0).at(1800).gets(3, 0, 0);

        assertThat(verdict().has(Finding.FOREIGN_RELEASE))
                .isFalse(); // The second asked at 0: its lease may have ended.

        script.at(2000)
                .asks(4)
                .at(2100)
                .gets(4, 0, 0)
                .at(2200)
                .asks(5)
                .releases(3)
                .at(2300)
                .gets(5, 0, 0);

        assertThat(verdict().first(Finding.FOREIGN_RELEASE))
                .hasValue(new Violation(Finding.FOREIGN_RELEASE, 3, 4, 2300));
    }

    @Test
    void holderThatLearnsOfItsLossBeforeItsLeaseEndsShowsAForeignRelease() {
        lost().at(1250)
                .releases(2)
                .at(1300)
                .asks(3)
                .at(1400)
                .gets(3, 0, 0)
                .at(1500)
                .releases(1)
                .at(1600)
                .asks(4)
                .at(1700)
                .happens(Op.LOST, Phase.OK, 3)
                .at(1750)
                .releases(3);

        assertThat(verdict().first(Finding.FOREIGN_RELEASE))
                .hasValue(new Violation(Finding.FOREIGN_RELEASE, 1, 3, 1700));
    }

    @Test
    void releaseOfALostLockThatIsRefusedEndsNothing() {
        lost().at(1250)
                .releases(1)
                .at(1260)
                .happens(Op.RELEASE, Phase.FAIL, 1)
                .at(1270)
                .asks(3)
                .at(1300)
                .releases(2)
                .at(1310)
                .gets(3, 0, 0)
                .at(1350)
                .releases(3);

        assertThat(verdict().has(Finding.FOREIGN_RELEASE)).isFalse();
    }

    @Test
    void aClientWithAWrongClockTakesALiveLockWithoutARelease() {
        script.recordFault(Op.FAULT, Phase.INFO, 5);
        lost().at(1600)
                .asks(4)
                .gets(4, 0, 0)
                .at(1700)
                .asks(5)
                .releases(1)
                .at(1800)
                .gets(5, 0, 0);

        assertThat(verdict().has(Finding.FOREIGN_RELEASE)).isFalse();
    }

    @Test
    void lockThatIsLeftFreeForMuchLongerThanALeaseIsFound() {
        released().at(30).asks(2).at(LONG).gets(2, 0, 0);

        assertThat(verdict().first(Finding.LEFT_FREE)).hasValue(new Violation(Finding.LEFT_FREE, 1, 2, LONG));
        assertThat(verdict().longestNanos()).containsEntry(Finding.LEFT_FREE, LONG - 30);
    }

    @Test
    void electionMayTakeLonger() {
        lockThatIsLeftFreeForMuchLongerThanALeaseIsFound();

        Duration electionTime = Duration.ofSeconds(1);
        assertThat(HolderCheck.check(script.history(), Script.UNLEASED, electionTime)
                        .has(Finding.LEFT_FREE))
                .isFalse();
    }

    @Test
    void lockOfAKilledHolderThatNobodyGetsIsFound() {
        script.at(0)
                .asks(1)
                .at(10)
                .gets(1, 0, 0)
                .at(20)
                .recordFault(Op.CRASH, Phase.OK, 1)
                .at(30)
                .asks(2)
                .asks(3)
                .at(LONG)
                .recordFault(Op.PROBE, Phase.FAIL, 4);

        assertThat(verdict().first(Finding.LEFT_FREE)).hasValue(new Violation(Finding.LEFT_FREE, 1, 0, LONG));
    }

    @Test
    void timeOfManyWaitersCountsOnce() {
        released().asks(2).asks(3).at(LONG / 2).gets(2, 0, 0);

        assertThat(verdict().has(Finding.LEFT_FREE)).isFalse();
        assertThat(verdict().longestNanos()).containsEntry(Finding.LEFT_FREE, LONG / 2 - 20);
    }

    @Test
    void lockThatMayHaveBeenGrantedIsNotFree() {
        released()
                .at(30)
                .asks(2)
                .at(40)
                .asks(3)
                .at(50)
                .isRefused(2, "no reply")
                .at(1080)
                .gets(3, 0, 0);

        assertThat(verdict().longestNanos()).containsEntry(Finding.LEFT_FREE, 30L);
    }

    @Test
    void killedClientAsksForNothing() {
        released()
                .asks(2)
                .at(30)
                .recordFault(Op.CRASH, Phase.OK, 2)
                .asks(2)
                .at(LONG)
                .asks(3)
                .at(LONG + 10)
                .gets(3, 0, 0);

        assertThat(verdict().has(Finding.LEFT_FREE)).isFalse();
        assertThat(verdict().longestNanos()).containsEntry(Finding.LEFT_FREE, 10L);
    }

    @Test
    void lockThatNobodyAsksForMayBeFree() {
        released().at(LONG).asks(2).at(LONG + 10).gets(2, 0, 0);

        assertThat(verdict().has(Finding.LEFT_FREE)).isFalse();
        assertThat(verdict().longestNanos()).containsEntry(Finding.LEFT_FREE, 10L);
    }
}
