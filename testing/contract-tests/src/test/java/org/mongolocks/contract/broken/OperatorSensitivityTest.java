package org.mongolocks.contract.broken;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the rules for operators can fail, on both drivers. */
@ExtendWith(Sensitivity.class)
class OperatorSensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "TAKES_WHATEVER_HAS_THE_NAME, aForeignDocumentIsRefusedAndLeftAlone#java.lang.String",
        "WAITS_FOR_FOREIGN_LOCKS, aForeignDocumentIsRefusedAndLeftAlone#java.lang.String",
        "LOOKS_AT_NOTHING_WHEN_BUILT, aClientIsNotBuiltOnTheCollectionOfAnother",
        "RENEWS_WHATEVER_IS_HELD, aLockWhoseDocumentBecameForeignIsLost",
        "HIDES_FOREIGN_DOCUMENTS, aListNamesForeignDocuments",
        "TELLS_NOTHING, aLockShowsWhoHoldsItAndWhy",
        "LEAVES_THE_HOLDER, aLockShowsWhoHoldsItAndWhy",
        "EVALUATES_THE_HOLDER, whatAHolderTellsIsData",
        "KEEPS_THE_HOLDER_BEFORE, nothingIsShownOfAnEarlierHolder",
        "REPEATS_PAGES, aListGoesThroughAllLocksOnce",
        "ENDS_AFTER_A_PAGE, aListGoesThroughAllLocksOnce",
        "MATCHES_PATTERNS, aPrefixIsText",
        "SHOWS_RELEASED_LOCKS, aListShowsOnlyWhatWasAskedFor",
        "SHOWS_LOCKS_OF_OTHERS, aListShowsOnlyWhatWasAskedFor",
        "SHOWS_ENDED_LEASES, anEndedLeaseIsNotListedAsHeld",
        "CREATES_ANYWAY, aMissingSchemaIsToldAndNotCreated",
        "CHECKS_NOTHING, aMissingSchemaIsToldAndNotCreated",
        "CREATES_ANYWAY, aSchemaIsLeftAloneWhenTold",
        "LOOKS_ELSEWHERE, anIndexThatBreaksLocksIsRefused",
        "LOOKS_ELSEWHERE, aCollectionThatBreaksLocksIsRefused",
    })
    void aMistakeInWhatIsStoredOrShownIsCaught(OperatorMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "FORCES_WHATEVER_IS_THERE, whatIsListedCanBeForcedFree",
        "FORCES_WITHOUT_A_TRACE, whatIsListedCanBeForcedFree",
        "FORCES_WITHOUT_COUNTING, whatIsListedCanBeForcedFree",
    })
    void aMistakeInForcingWhatIsListedIsCaught(Mutation mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }
}
