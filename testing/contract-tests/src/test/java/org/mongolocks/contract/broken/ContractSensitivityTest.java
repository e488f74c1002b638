package org.mongolocks.contract.broken;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the contract can fail: each mistake breaks the rules that should catch it, on both drivers. */
@Tag("slow")
@ExtendWith(Sensitivity.class)
class ContractSensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "RELEASES_BY_NAME_ONLY, aLateReleaseChangesNothing",
        "RELEASES_ANOTHER, aReleasedLockIsFree",
        "RELEASES_ANOTHER, aWaiterGetsAReleasedLock",
        "RELEASES_ALL_OTHERS, closingReleasesAllLocks",
        "DOES_NOT_COMPENSATE, aGrantThatStaysAmbiguousIsCompensated",
        "LEAVES_THE_OWNER, aReleasedLockShowsNoHolder",
        "RENEWS_BY_NAME_ONLY, aLateRenewalChangesNothing",
        "DOES_NOT_EXTEND, aRenewedLeaseLastsLonger",
        "SHORTENS_ON_RENEWAL, aLongerRenewalIsNotShortened",
        "COUNTS_RENEWALS, tokenStaysOverRenewals",
        "KEEPS_NO_MINIMUM, aReleaseKeepsTheMinimumHold",
        "KEEPS_THE_TRACE_OF_A_FORCED_RELEASE, takeoverIsReportedAsTakeover",
        "READS_THE_LOSS_REASON_OF_ANOTHER, lossIsReportedOnce",
        "SHOWS_ANOTHER, aHeldLockShowsItsHolder",
        "EVALUATES_NAMES, anyTextIsAName#java.lang.String",
        "FORCES_BY_NAME_ONLY, aForcedReleaseDoesNothingAfterAChange",
        "FORCES_BY_NAME_ONLY, aForcedReleaseDoesNotHitTheNextHolder",
        "FORCES_ANY_HOLDER, aForcedReleaseNeedsTheHolderThatWasSeen",
        "FORCES_WITHOUT_COUNTING, tokenGrowsOverAForcedRelease",
        "FORCES_WITHOUT_A_TRACE, aForcedReleaseFreesTheLockAndTheHolderLearnsOfIt",
        "GRANTS_HELD_LOCKS, lockIsContendedForAllWhileALeaseIsLive",
        "GRANTS_HELD_LOCKS, oneOfManyConcurrentCreatorsGetsTheLock",
        "GRANTS_HELD_LOCKS, aLeaseIsLiveUntilItsEnd",
        "GRANTS_HELD_LOCKS, waitingEndsAtTheDeadline",
        "NEVER_TAKES_OVER, anExpiredLeaseFreesTheLock",
        "NEVER_TAKES_OVER, aWaiterGetsAnExpiredLock",
        "DOES_NOT_COUNT_A_RELEASED_LOCK, tokenGrowsOverARelease",
        "DOES_NOT_COUNT, tokenGrowsOverATakeover",
        "RENEWS_ALL_BY_NAME_ONLY, lossOfOneLockDoesNotAffectOthers",
        "GRANTS_HELD_LOCKS, 'protectedDataIsChangedByOneAtATime#int,int,int'",
        "DOES_NOT_COUNT, 'protectedDataIsChangedByOneAtATime#int,int,int'",
        "GRANTS_LOCKS_LAST_SEEN_RELEASED, lockIsContendedForAllWhileALeaseIsLive",
        "BEGINS_AT_ONE, tokenGrowsOverACleanUp",
        "LOCKS_EVERYTHING, locksOfOtherNamesAreFree",
        "CUTS_NAMES, theLongestNameIsAName",
        "FOLDS_NAMES, similarNamesAreDifferentLocks",
    })
    void aMistakeOfTheStrategyIsCaught(Mutation mutation, String rule) {
        Sensitivity.assertBreaks(mutation, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "TRIES_ONCE, aWaiterGetsAReleasedLock",
        "SWALLOWS_INTERRUPTS, interruptedWaiterLeavesNoLease",
        "SWALLOWS_INTERRUPTS, interruptedThreadSendsNoCommand",
        "SWALLOWS_FAULTS, aRefusalIsAnError",
        "SWALLOWS_FAULTS, commandThatIsNeverSentHoldsNothing#boolean",
        "SWALLOWS_FAULTS, aGrantThatStaysAmbiguousIsCompensated",
        "DOES_NOT_RETRY, aLostQuestionIsAskedAgain#boolean",
        "DOES_NOT_RETRY, aPassingRefusalIsFollowedByTheSameQuestion#int",
        "IGNORES_TIME, holderDetectsTheEndOfItsLease",
        "IGNORES_TIME, anEndedLeaseIsNotBroughtBack",
        "ACQUIRES_INSTEAD_OF_RENEWING, anEndedLeaseIsNotBroughtBack",
        "ACQUIRES_INSTEAD_OF_RENEWING, aReleasedLockIsNotRenewed",
        "FORCES_FAILED_RELEASES, theSecondReleaseDoesNothing",
        "ASSUMES_THAT_RELEASES_SUCCEED, aLostReleaseDoesNotHideALoss",
        "NOTIFIES_EACH_TIME, lossIsReportedOnce",
        "REPORTS_A_RELEASE_AS_A_LOSS, aReleaseIsNoLoss",
        "REPORTS_A_MISSING_REPLY_AS_A_LOSS, aRenewalWithoutAnAnswerIsNoLoss",
    })
    void aMistakeOfTheClientIsCaught(ClientMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "KEEPS_NOTHING_ALIVE, aLockThatIsKeptAliveOutlivesItsLease",
        "HOLDS_NO_MINIMUM, aReleaseKeepsTheMinimumHold",
        "HOLDS_NO_MINIMUM, closingKeepsTheMinimumHold",
        "HAS_NO_TIMER, endOfALeaseIsReportedBeforeTheLockIsGrantedAgain",
        "HIDES_LOSSES, keepAliveReportsALoss",
        "REPORTS_TWICE, lossIsReportedOnce",
        "REPORTS_TWICE, endOfALeaseIsReportedBeforeTheLockIsGrantedAgain",
        "REPORTS_TWICE, aLockThatCannotBeRenewedIsLostAtItsEnd",
        "GIVES_NO_REASON, keepAliveReportsALoss",
        "GIVES_NO_REASON, aLockThatCannotBeRenewedIsLostAtItsEnd",
        "DOES_NOT_WARN, expiryWarningIsSentForEachEnd",
        "WARNS_ONCE, expiryWarningIsSentForEachEnd",
        "CALLS_ONE_LISTENER_AT_A_TIME, aListenerThatBlocksHarmsNoOtherLock",
        "KEEPS_NOTHING_ALIVE, anyNumberOfBlockedListenersHarmsNoOtherLock",
        "KEEPS_NOTHING_ALIVE, anExecutorOnTheCallingThreadHarmsNoOtherLock",
        "HAS_NO_SKEW_MARGIN, theHolderDoesNotOverestimateItsLease",
        "DOES_NOT_CLOSE, closingReleasesAllLocks",
        "DOES_NOT_CLOSE, aClosedClientAcquiresNothing",
        "DOES_NOT_CLOSE, noThreadOutlivesTheClient",
        "CLOSES_LATE, closingIsBoundedWhenTheServerDoesNotAnswer",
        "STOPS_AT_THE_FIRST_FAULT, aLockIsKeptAliveThroughFaults#boolean",
    })
    void aMistakeInHoldingIsCaught(HoldingMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }
}
