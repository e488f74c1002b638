package org.mongolocks.contract.broken;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the rules about the order of waiters and deadlines can fail, on both drivers. */
@Tag("slow")
@ExtendWith(Sensitivity.class)
class OrderSensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "JOINS_AHEAD_OF_ALL, waitersAreServedInOrder#boolean",
        "LEAVES_ONLY_WHEN_SERVED, interruptedWaiterLeavesTheList#boolean",
        "LEAVES_ONLY_WHEN_SERVED, aClosedClientLeavesTheList",
        "PASSES_NOBODY_OVER, waitersThatDiedArePassedOver#int",
        "NAMES_NO_NEXT_WAITER, waitersAreServedInOrder#boolean",
        "IGNORES_THE_LIST, aTryDoesNotOvertakeWaiters",
        "STAYS_IN_THE_LIST_WHEN_SERVED, theListIsEmptyAfterTheLastWaiter#boolean",
        "JOINS_WITH_EACH_ATTEMPT, aRetryAddsNoSecondEntry",
    })
    void aMistakeInTheListIsCaught(Mutation mutation, String rule) {
        Sensitivity.assertBreaks(mutation, rule);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "PROMISES_NO_ORDER, aFairRequestIsRefusedWithoutLists",
        "WAITS_TWICE_AS_LONG, anAnswerComesOneCommandAfterTheDeadline#boolean",
    })
    void aMistakeInWaitingIsCaught(OrderMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }
}
