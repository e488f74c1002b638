package org.mongolocks.contract.broken;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.contract.adapter.Driver;

/** Tests that the rules about several locks, owners and threads can fail. */
@ExtendWith(Sensitivity.class)
class SeveralLocksSensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "FORGETS_THE_REST, allLocksOfASetAreHeldEachWithItsToken",
        "RELEASES_ONE, allLocksOfASetAreHeldEachWithItsToken",
        "MIXES_THE_LOCKS_UP, allLocksOfASetAreHeldEachWithItsToken",
        "KEEPS_WHAT_IT_GOT, oneLockThatIsHeldLeavesNothingOfASetBehind",
        "CLAIMS_ONE_STEP, oneLockThatIsHeldLeavesNothingOfASetBehind",
        "KEEPS_WHAT_IT_GOT, aSetThatGivesUpLeavesNothingBehind",
        "DOES_NOT_WAIT, aSetThatGivesUpLeavesNothingBehind",
        "ASKS_IN_ANY_ORDER, setsThatOverlapNeitherBlockNorMix",
        "FORGETS_THE_REST, setsThatOverlapNeitherBlockNorMix",
        "HIDES_LOSSES, theLossOfOneLockOfASetIsTold",
        "STOPS_AT_A_LOSS, theLossOfOneLockOfASetIsTold",
        "RELEASES_ONE, theLossOfOneLockOfASetIsTold",
        "KEEPS_WHAT_IT_GOT, allLeasesOfASetAreFreshHoweverLongItWasWaitedFor",
        "DOES_NOT_WAIT, allLeasesOfASetAreFreshHoweverLongItWasWaitedFor",
        "KEEPS_WHAT_IT_GOT, aWaiterForASetThatIsInterruptedLeavesNothingBehind",
        "SWALLOWS_EVERYTHING, aWaiterForASetThatIsInterruptedLeavesNothingBehind",
        "KEEPS_WHAT_IT_GOT, aFaultInTheMiddleOfASetGivesEverythingBack",
        "SWALLOWS_EVERYTHING, aFaultInTheMiddleOfASetGivesEverythingBack",
        "CLAIMS_ONE_STEP, whatIsGrantedInOneStepIsNotHeldWhileOneIsWaitedFor",
    })
    void aMistakeWithSeveralLocksIsCaught(SetMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "KNOWS_NO_OWNERS, theSameOwnerEntersAgainWithoutAQuestion",
        "ASKS_WHEN_IT_ENTERS, theSameOwnerEntersAgainWithoutAQuestion",
        "TAKES_ALL_FOR_ONE, anotherOwnerIsContended",
        "DOES_NOT_COUNT_ENTRIES, anotherOwnerIsContended",
        "DOES_NOT_COUNT_ENTRIES, theLastOneToLeaveGivesTheLockBack",
        "DOES_NOT_COUNT_ENTRIES, aLossEndsAllEntries",
        "CONTENDS_WITH_ITSELF, twoQuestionsOfOneOwnerAreOne",
        "KNOWS_NO_OWNERS, twoQuestionsOfOneOwnerAreOne",
    })
    void aMistakeWithOwnersIsCaught(ReentryMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "DOES_NOT_COUNT, aThreadLocksAgainAndUnlocksAsOften",
        "TAKES_ALL_THREADS_FOR_ONE, anotherThreadIsKeptOut",
        "FORGETS_INTERRUPTS, lockingKeepsAnInterruptForLater",
        "IGNORES_INTERRUPTS, lockingInterruptiblyAnswersAnInterrupt",
        "DOES_NOT_WAIT, lockingWithinATimeEndsWithIt",
        "HIDES_LOSSES, unlockingTellsALoss",
        "SWALLOWS_FAULTS, lockingTellsARefusal",
    })
    void aMistakeWithThreadsIsCaught(JavaLockMistake mistake, String rule) {
        Sensitivity.run(mistake, rule)
                .assertStatistics(events -> events.failed(1).aborted(1));
        assertThat(Driver.values()).as("the other one has no threads").hasSize(2);
    }
}
