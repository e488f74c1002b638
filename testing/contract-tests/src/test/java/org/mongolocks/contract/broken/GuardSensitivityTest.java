package org.mongolocks.contract.broken;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the rules about guarded transactions can fail. */
@ExtendWith(Sensitivity.class)
class GuardSensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "WRITES_AT_ONCE, aGuardedTransactionIsCommittedAndExtendsTheLease",
        "NEVER_COMMITS, aGuardedTransactionIsCommittedAndExtendsTheLease",
        "DOES_IT_TWICE, aGuardedTransactionIsCommittedAndExtendsTheLease",
        "DOES_NOT_TOUCH, aGuardedTransactionIsCommittedAndExtendsTheLease",
        "WRITES_AT_ONCE, aHolderWhoHasLostTheLockWritesNothing",
        "DOES_NOT_TOUCH, aHolderWhoHasLostTheLockWritesNothing",
        "DOES_NOT_TOUCH, aLateHolderWritesNothing",
        "DOES_NOT_TOUCH, workThatOutlastsTheLeaseIsNotCommitted",
        "DOES_NOT_TOUCH, theLockIsNotForcedFreeUnderAnOpenTransaction",
        "LETS_KEEP_ALIVE_GO_ON, keepAliveDoesNotCollideWithAGuardedTransaction",
        "WRITES_AT_ONCE, workThatFailsLeavesNothing",
        "SWALLOWS_WHAT_FAILS, workThatFailsLeavesNothing",
        "GIVES_UP_AT_A_CONFLICT, aConflictRepeatsTheWholeTransaction",
        "DOES_IT_TWICE, aCommitAmbiguousIsSettled#boolean",
        "WRITES_AT_ONCE, whoIsInterruptedDuringTheWorkWritesNothing",
        "DOES_NOT_TOUCH, aTakeoverWaitsForTheTransaction",
        "DOES_NOT_TOUCH, whatWouldWaitForItsOwnTransactionIsRefused",
    })
    void aMistakeInGuardingIsCaught(GuardMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }
}
