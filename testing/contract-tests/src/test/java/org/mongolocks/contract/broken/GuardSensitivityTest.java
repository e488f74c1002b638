package org.mongolocks.contract.broken;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the rules about guarded transactions can fail. */
@ExtendWith(Sensitivity.class)
@Tag("slow")
class GuardSensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "WRITES_OUTSIDE_OF_THE_TRANSACTION, aGuardedTransactionIsCommittedAndExtendsTheLease",
        "NEVER_COMMITS, aGuardedTransactionIsCommittedAndExtendsTheLease",
        "RUNS_THE_WORK_TWICE, aGuardedTransactionIsCommittedAndExtendsTheLease",
        "DOES_NOT_TOUCH, aGuardedTransactionIsCommittedAndExtendsTheLease",
        "WRITES_OUTSIDE_OF_THE_TRANSACTION, transactionAfterALossWritesNothing",
        "DOES_NOT_TOUCH, transactionAfterALossWritesNothing",
        "DOES_NOT_TOUCH, aLateHolderWritesNothing",
        "DOES_NOT_TOUCH, workThatOutlastsTheLeaseIsNotCommitted",
        "DOES_NOT_TOUCH, theLockIsNotForcedFreeUnderAnOpenTransaction",
        "DOES_NOT_PAUSE_KEEP_ALIVE, keepAliveDoesNotCollideWithAGuardedTransaction",
        "WRITES_OUTSIDE_OF_THE_TRANSACTION, workThatFailsLeavesNothing",
        "SWALLOWS_FAILURES, workThatFailsLeavesNothing",
        "FAILS_AT_A_CONFLICT, aConflictRepeatsTheWholeTransaction",
        "RUNS_THE_WORK_TWICE, ambiguousCommitIsExecutedOnce#boolean",
        "WRITES_OUTSIDE_OF_THE_TRANSACTION, interruptDuringTheWorkWritesNothing",
        "DOES_NOT_TOUCH, aTakeoverWaitsForTheTransaction",
        "DOES_NOT_TOUCH, renewalAndNestedTransactionAreRefusedDuringATransaction",
    })
    void aMistakeInGuardingIsCaught(GuardMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }
}
