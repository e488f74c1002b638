package org.mongolocks.contract.broken;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the rules for operators can fail, on both drivers. */
@ExtendWith(Sensitivity.class)
@Tag("slow")
class OperatorSensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "ACQUIRES_FOREIGN_DOCUMENTS, aForeignDocumentIsRefusedAndLeftAlone#java.lang.String",
        "WAITS_FOR_FOREIGN_LOCKS, aForeignDocumentIsRefusedAndLeftAlone#java.lang.String",
        "CHECKS_NO_FORMAT_WHEN_BUILT, aClientIsNotBuiltOnTheCollectionOfAnother",
        "RENEWS_FOREIGN_DOCUMENTS, lockWithAForeignDocumentIsLost",
        "HIDES_FOREIGN_DOCUMENTS, aListNamesForeignDocuments",
        "SENDS_NO_HOLDER_INFO, heldLockShowsItsHolderInfo",
        "LEAVES_THE_HOLDER_INFO, heldLockShowsItsHolderInfo",
        "EVALUATES_THE_HOLDER_INFO, holderInfoIsData",
        "KEEPS_THE_PREVIOUS_HOLDER_INFO, holderInfoOfAnEarlierHolderIsNotShown",
        "REPEATS_PAGES, aListGoesThroughAllLocksOnce",
        "ENDS_AFTER_A_PAGE, aListGoesThroughAllLocksOnce",
        "MATCHES_PATTERNS, aPrefixIsText",
        "SHOWS_RELEASED_LOCKS, listContainsOnlyTheRequestedLocks",
        "SHOWS_LOCKS_OF_OTHERS, listContainsOnlyTheRequestedLocks",
        "SHOWS_ENDED_LEASES, anEndedLeaseIsNotListedAsHeld",
        "CREATES_ANYWAY, missingSchemaIsReportedAndNotCreated",
        "CHECKS_NOTHING, missingSchemaIsReportedAndNotCreated",
        "CREATES_ANYWAY, schemaModeNoneCreatesNothing",
        "CHECKS_OTHER_COLLECTIONS, anIndexThatBreaksLocksIsRefused",
        "CHECKS_OTHER_COLLECTIONS, aCollectionThatBreaksLocksIsRefused",
    })
    void mistakeInStoredOrShownDataIsCaught(OperatorMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "FORCES_BY_NAME_ONLY, listedLockCanBeForceReleased",
        "FORCES_WITHOUT_A_TRACE, listedLockCanBeForceReleased",
        "FORCES_WITHOUT_COUNTING, listedLockCanBeForceReleased",
    })
    void mistakeInForceReleasingAListedLockIsCaught(Mutation mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }
}
