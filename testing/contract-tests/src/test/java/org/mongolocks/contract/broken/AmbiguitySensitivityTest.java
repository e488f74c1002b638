package org.mongolocks.contract.broken;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the rules about ambiguous and late commands can fail. */
@Tag("slow")
@ExtendWith(Sensitivity.class)
class AmbiguitySensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "RETRIES_WITH_ANOTHER_OWNER, grantIsConfirmedAfterAnyFault#org.mongolocks.contract.adapter.InjectedFault",
        "REPORTS_INDETERMINATE_AS_NOT_HELD, unconfirmedGrantIsIndeterminate",
        "REPORTS_INDETERMINATE_AS_NOT_HELD, abandonedCommandIsNotGrantedLater#boolean",
        "SENDS_NO_TRANSACTION_NUMBERS, abandonedCommandIsNotGrantedLater#boolean",
        "SENDS_NO_TRANSACTION_NUMBERS, exhaustedPoolGrantsNothing",
        "SENDS_NO_TRANSACTION_NUMBERS, unreachableServerGrantsNothingAndLosesNothing",
        "SENDS_NO_TRANSACTION_NUMBERS, aQuestionThatComesLateIsNoSecondGrant#boolean",
        "SENDS_NO_TRANSACTION_NUMBERS, contendedCommandIsNotGrantedWhenItExecutesLate#boolean",
        "REPORTS_AN_INTERRUPT_AS_A_LOSS, interruptDuringARenewalIsNoLoss",
    })
    void aMistakeAboutAmbiguityIsCaught(AmbiguityMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "DOES_NOT_RETRY, grantIsConfirmedAfterAnyFault#org.mongolocks.contract.adapter.InjectedFault",
        "DOES_NOT_RETRY, renewalIsConfirmedAfterAnyFault#org.mongolocks.contract.adapter.InjectedFault",
        "DOES_NOT_RETRY, releaseIsConfirmedAfterAnyFault#org.mongolocks.contract.adapter.InjectedFault",
        "SWALLOWS_FAULTS, unconfirmedGrantIsIndeterminate",
        "SWALLOWS_FAULTS, exhaustedPoolGrantsNothing",
        "SWALLOWS_FAULTS, unreachableServerGrantsNothingAndLosesNothing",
        "SWALLOWS_FAULTS, abandonedCommandIsNotGrantedLater#boolean",
        "SWALLOWS_INTERRUPTS, interruptDuringACommandLeavesNoLease#boolean",
    })
    void aMistakeOfTheClientIsCaught(ClientMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "COUNTS_RENEWALS, renewalIsConfirmedAfterAnyFault#org.mongolocks.contract.adapter.InjectedFault",
        "RELEASES_ANOTHER, aReleaseIsNotInterrupted",
        "RELEASES_ANOTHER, releaseIsConfirmedAfterAnyFault#org.mongolocks.contract.adapter.InjectedFault",
        "DOES_NOT_COMPENSATE, interruptDuringACommandLeavesNoLease#boolean",
        "DOES_NOT_COMPENSATE, unconfirmedGrantIsReleasedWhenTheServerRepliesAgain",
        "GRANTS_HELD_LOCKS, aGrantThatComesLateChangesNothingForTheNextHolder#boolean",
        "RENEWS_BY_NAME_ONLY, aRenewalThatComesLateChangesNothing#boolean",
        "RELEASES_BY_NAME_ONLY, aReleaseThatComesLateChangesNothing#boolean",
    })
    void aMistakeOfTheStrategyIsCaught(Mutation mutation, String rule) {
        Sensitivity.assertBreaks(mutation, rule);
    }
}
