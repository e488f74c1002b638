package org.mongolocks.contract.broken;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the contract can fail: each mistake breaks the rules that should catch it, on both drivers. */
@ExtendWith(Sensitivity.class)
class ContractSensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "RELEASES_BY_NAME_ONLY, aLateReleaseChangesNothing",
        "RELEASES_ANOTHER, aReleasedLockIsFree",
        "RELEASES_ANOTHER, aWaiterGetsAReleasedLock",
        "TAKES_NOTHING_BACK, aGrantThatStaysAmbiguousIsCompensated",
        "LEAVES_THE_OWNER, aReleasedLockShowsNoHolder",
        "RENEWS_BY_NAME_ONLY, aLateRenewalChangesNothing",
        "DOES_NOT_EXTEND, aRenewedLeaseLastsLonger",
        "COUNTS_RENEWALS, tokenStaysOverRenewals",
        "LOOKS_AT_ANOTHER, aTakeoverIsToldAsSuch",
        "LOOKS_AT_ANOTHER, aLossIsToldOnce",
        "SHOWS_ANOTHER, aHeldLockShowsItsHolder",
        "SHOWS_WHAT_A_NAME_EVALUATES_TO, anyTextIsAName#java.lang.String",
        "FORCES_WHATEVER_IS_THERE, aForcedReleaseDoesNothingAfterAChange",
        "FORCES_WHATEVER_IS_THERE, aForcedReleaseDoesNotHitTheNextHolder",
        "FORCES_ANY_HOLDER, aForcedReleaseNeedsTheHolderThatWasSeen",
        "FORCES_WITHOUT_COUNTING, tokenGrowsOverAForcedRelease",
        "FORCES_WITHOUT_A_TRACE, aForcedReleaseFreesTheLockAndTheHolderLearnsOfIt",
        "TAKES_WHAT_IS_HELD, whileALeaseIsLiveTheLockIsContendedForEverybody",
        "TAKES_WHAT_IS_HELD, oneOfManyWhoCreateALockAtOnceGetsIt",
        "TAKES_WHAT_IS_HELD, aLeaseIsLiveUntilItsEnd",
        "TAKES_WHAT_IS_HELD, waitingEndsAtTheDeadline",
        "NEVER_TAKES_OVER, anExpiredLeaseFreesTheLock",
        "NEVER_TAKES_OVER, aWaiterGetsAnExpiredLock",
        "DOES_NOT_COUNT, tokenGrowsOverARelease",
        "DOES_NOT_COUNT, tokenGrowsOverATakeover",
        "RENEWS_ALL_BY_NAME_ONLY, oneLostLockTakesNoOtherWithIt",
        "TAKES_WHAT_IS_HELD, 'protectedDataIsChangedByOneAtATime#int,int,int'",
        "DOES_NOT_COUNT, 'protectedDataIsChangedByOneAtATime#int,int,int'",
        "BEGINS_AT_ONE, tokenGrowsOverACleanUp",
        "LOCKS_EVERYTHING, locksOfOtherNamesAreFree",
        "CUTS_NAMES, theLongestNameIsAName",
        "FOLDS_NAMES, namesThatLookAlikeAreDifferentLocks",
    })
    void aMistakeOfTheStrategyIsCaught(Mutation mutation, String rule) {
        Sensitivity.assertBreaks(mutation, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "ASKS_ONE_TIME, aWaiterGetsAReleasedLock",
        "SWALLOWS_INTERRUPTS, aWaiterThatIsInterruptedLeavesNothingBehind",
        "SWALLOWS_INTERRUPTS, whoIsInterruptedAlreadyAsksForNothing",
        "SWALLOWS_FAULTS, aRefusalIsAnError",
        "SWALLOWS_FAULTS, whatWasNeverHeardHoldsNothing#boolean",
        "SWALLOWS_FAULTS, aGrantThatStaysAmbiguousIsCompensated",
        "DOES_NOT_ASK_AGAIN, aLostQuestionIsAskedAgain#boolean",
        "DOES_NOT_ASK_AGAIN, aPassingRefusalIsFollowedByTheSameQuestion#int",
        "LOSES_TRACK_OF_TIME, theHolderKnowsTheEndOfItsLease",
        "LOSES_TRACK_OF_TIME, anEndedLeaseIsNotBroughtBack",
        "TAKES_AGAIN, anEndedLeaseIsNotBroughtBack",
        "TAKES_AGAIN, aReleasedLockIsNotRenewed",
        "RELEASES_AGAIN, theSecondReleaseDoesNothing",
        "TRUSTS_RELEASES, aLostReleaseDoesNotHideALoss",
        "TELLS_EACH_TIME, aLossIsToldOnce",
        "TELLS_OF_A_RELEASE, aReleaseIsNoLoss",
        "GIVES_UP_IN_SILENCE, aRenewalWithoutAnAnswerIsNoLoss",
    })
    void aMistakeOfTheClientIsCaught(ClientMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "KEEPS_NOTHING_ALIVE, aLockThatIsKeptAliveOutlivesItsLease",
        "HAS_NO_TIMER, theEndOfALeaseIsToldBeforeAnotherCanHaveTheLock",
        "HIDES_LOSSES, keepAliveTellsALoss",
        "REPORTS_TWICE, aLossIsToldOnce",
        "REPORTS_TWICE, theEndOfALeaseIsToldBeforeAnotherCanHaveTheLock",
        "REPORTS_TWICE, aLockThatCannotBeRenewedIsLostAtItsEnd",
        "GIVES_NO_REASON, keepAliveTellsALoss",
        "GIVES_NO_REASON, aLockThatCannotBeRenewedIsLostAtItsEnd",
        "DOES_NOT_WARN, theApproachOfTheEndIsToldEachTime",
        "WARNS_ONCE, theApproachOfTheEndIsToldEachTime",
        "TELLS_ON_THE_TIMER, aListenerThatBlocksHarmsNoOtherLock",
        "TRUSTS_ITS_CLOCK, theHolderDoesNotOverestimateItsLease",
        "LEAVES_EVERYTHING, closingGivesEverythingBack",
        "LEAVES_EVERYTHING, aClosedClientAcquiresNothing",
        "LEAVES_EVERYTHING, noThreadOutlivesTheClient",
        "CLOSES_LATE, closingIsBoundedWhenTheServerDoesNotAnswer",
        "DIES_AT_THE_FIRST_FAULT, aLockIsKeptAliveThroughFaults#boolean",
    })
    void aMistakeInHoldingIsCaught(HoldingMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }
}
