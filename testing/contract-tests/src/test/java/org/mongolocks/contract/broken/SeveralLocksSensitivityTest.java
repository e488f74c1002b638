package org.mongolocks.contract.broken;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.contract.adapter.Driver;

/** Tests that the rules about several locks, owners and threads can fail. */
@Tag("slow")
@ExtendWith(Sensitivity.class)
class SeveralLocksSensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "ACQUIRES_ONLY_THE_FIRST, allLocksOfASetAreHeldEachWithItsToken",
        "RELEASES_ONE, allLocksOfASetAreHeldEachWithItsToken",
        "RETURNS_ANOTHER_LOCK, allLocksOfASetAreHeldEachWithItsToken",
        "KEEPS_THE_LOCKS_BEFORE_A_CONTENDED_ONE, setWithAContendedLockHoldsNothing",
        "CLAIMS_ONE_STEP, setWithAContendedLockHoldsNothing",
        "KEEPS_THE_LOCKS_BEFORE_A_CONTENDED_ONE, setThatTimesOutHoldsNothing",
        "DOES_NOT_WAIT, setThatTimesOutHoldsNothing",
        "ACQUIRES_IN_ANY_ORDER, setsThatOverlapNeitherBlockNorMix",
        "ACQUIRES_ONLY_THE_FIRST, setsThatOverlapNeitherBlockNorMix",
        "HIDES_LOSSES, lossOfOneLockOfASetIsReported",
        "STOPS_AT_A_LOSS, lossOfOneLockOfASetIsReported",
        "RELEASES_ONE, lossOfOneLockOfASetIsReported",
        "KEEPS_THE_LOCKS_BEFORE_A_CONTENDED_ONE, allLeasesOfASetAreFreshHoweverLongItWasWaitedFor",
        "DOES_NOT_WAIT, allLeasesOfASetAreFreshHoweverLongItWasWaitedFor",
        "KEEPS_THE_LOCKS_BEFORE_A_CONTENDED_ONE, interruptedWaiterForASetHoldsNothing",
        "SWALLOWS_EVERYTHING, interruptedWaiterForASetHoldsNothing",
        "KEEPS_THE_LOCKS_BEFORE_A_CONTENDED_ONE, faultWithinASetReleasesItsLocks",
        "SWALLOWS_EVERYTHING, faultWithinASetReleasesItsLocks",
        "CLAIMS_ONE_STEP, setGrantedInOneStepHoldsNothingWhileItWaits",
    })
    void aMistakeWithSeveralLocksIsCaught(SetMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "IGNORES_OWNERS, theSameOwnerEntersAgainWithoutAQuestion",
        "RENEWS_WHEN_IT_REENTERS, theSameOwnerEntersAgainWithoutAQuestion",
        "TREATS_ALL_OWNERS_AS_ONE, anotherOwnerIsContended",
        "DOES_NOT_COUNT_ENTRIES, anotherOwnerIsContended",
        "DOES_NOT_COUNT_ENTRIES, lastReleaseEndsTheLease",
        "DOES_NOT_COUNT_ENTRIES, aLossEndsAllEntries",
        "USES_AN_OWNER_PER_ACQUISITION, twoQuestionsOfOneOwnerAreOne",
        "IGNORES_OWNERS, twoQuestionsOfOneOwnerAreOne",
    })
    void aMistakeWithOwnersIsCaught(ReentryMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "DOES_NOT_COUNT, aThreadLocksAgainAndUnlocksAsOften",
        "TREATS_ALL_THREADS_AS_ONE, anotherThreadIsKeptOut",
        "CLEARS_INTERRUPTS, lockingKeepsAnInterruptForLater",
        "IGNORES_INTERRUPTS, lockingInterruptiblyAnswersAnInterrupt",
        "DOES_NOT_WAIT, lockingWithinATimeEndsWithIt",
        "HIDES_LOSSES, unlockingALostLockThrows",
        "SWALLOWS_FAULTS, serverErrorIsThrownByLock",
    })
    void aMistakeWithThreadsIsCaught(JavaLockMistake mistake, String rule) {
        Sensitivity.run(mistake, rule)
                .assertStatistics(events -> events.failed(1).aborted(1));
        assertThat(Driver.values()).as("the other one has no threads").hasSize(2);
    }
}
