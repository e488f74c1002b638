package org.mongolocks.contract.broken;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the rules about fair requests and deadlines can fail, on both drivers. */
@Tag("slow")
@ExtendWith(Sensitivity.class)
class OrderSensitivityTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "SERVES_THE_LAST_WAITER_FIRST, fairWaitersAreServedInOrder",
        "KEEPS_A_TICKET_WHEN_IT_GIVES_UP, waiterThatGaveUpIsSkipped",
        "KEEPS_A_TICKET_WHEN_IT_IS_CLOSED, aClosedClientLeavesTheQueue",
        "GIVES_UP_BEHIND_OTHERS, theWaitersOfADeadClientAreSkippedTogether",
        "IGNORES_THE_QUEUE, fairTryDoesNotOvertakeTheQueue",
        "LEAVES_ITS_TICKET, queueIsEmptyAfterTheLastWaiter",
        "TAKES_TWO_TICKETS, retriedTicketRequestKeepsItsTicket",
        "WAITS_TWICE_AS_LONG, anAnswerComesOneCommandAfterTheDeadline#boolean",
    })
    void aMistakeInWaitingIsCaught(OrderMistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }
}
