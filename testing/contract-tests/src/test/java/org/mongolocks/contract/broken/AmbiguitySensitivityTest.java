package org.mongolocks.contract.broken;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the rules about ambiguous and late commands can fail. */
@ExtendWith(Sensitivity.class)
class AmbiguitySensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "ASKS_AGAIN_AS_ANOTHER, aGrantIsFoundOutWhateverHappensToIt#org.mongolocks.contract.adapter.InjectedFault",
        "CALLS_THE_UNKNOWN_KNOWN, whatCannotBeFoundOutIsSaidToBeUnknown",
        "CALLS_THE_UNKNOWN_KNOWN, whatIsGivenUpIsNotGrantedLater#boolean",
        "NUMBERS_NO_WRITES, whatIsGivenUpIsNotGrantedLater#boolean",
        "NUMBERS_NO_WRITES, whatFindsNoConnectionIsNotGranted",
        "NUMBERS_NO_WRITES, whileTheServerIsOutOfReachNothingIsGrantedAndNothingIsLost",
        "NUMBERS_NO_WRITES, aQuestionThatComesLateIsNoSecondGrant#boolean",
        "NUMBERS_NO_WRITES, whatWasRefusedIsNotGrantedWhenItComesLate#boolean",
        "TAKES_AN_INTERRUPT_FOR_A_LOSS, whoIsInterruptedDuringARenewalStillHoldsTheLock",
    })
    void aMistakeAboutAmbiguityIsCaught(AmbiguityMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "DOES_NOT_ASK_AGAIN, aGrantIsFoundOutWhateverHappensToIt#org.mongolocks.contract.adapter.InjectedFault",
        "DOES_NOT_ASK_AGAIN, aRenewalIsFoundOutWhateverHappensToIt#org.mongolocks.contract.adapter.InjectedFault",
        "DOES_NOT_ASK_AGAIN, aReleaseIsFoundOutWhateverHappensToIt#org.mongolocks.contract.adapter.InjectedFault",
        "SWALLOWS_FAULTS, whatCannotBeFoundOutIsSaidToBeUnknown",
        "SWALLOWS_FAULTS, whatFindsNoConnectionIsNotGranted",
        "SWALLOWS_FAULTS, whileTheServerIsOutOfReachNothingIsGrantedAndNothingIsLost",
        "SWALLOWS_FAULTS, whatIsGivenUpIsNotGrantedLater#boolean",
        "SWALLOWS_INTERRUPTS, whoIsInterruptedDuringACommandLeavesNothingBehind#boolean",
    })
    void aMistakeOfTheClientIsCaught(ClientMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "COUNTS_RENEWALS, aRenewalIsFoundOutWhateverHappensToIt#org.mongolocks.contract.adapter.InjectedFault",
        "RELEASES_ANOTHER, aReleaseIsNotInterrupted",
        "RELEASES_ANOTHER, aReleaseIsFoundOutWhateverHappensToIt#org.mongolocks.contract.adapter.InjectedFault",
        "TAKES_NOTHING_BACK, whoIsInterruptedDuringACommandLeavesNothingBehind#boolean",
        "TAKES_WHAT_IS_HELD, aGrantThatComesLateChangesNothingForTheNextHolder#boolean",
        "RENEWS_BY_NAME_ONLY, aRenewalThatComesLateChangesNothing#boolean",
        "RELEASES_BY_NAME_ONLY, aReleaseThatComesLateChangesNothing#boolean",
    })
    void aMistakeOfTheStrategyIsCaught(Mutation mutation, String rule) {
        Sensitivity.assertBreaks(mutation, rule);
    }
}
