package org.mongolocks.contract;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shows that the rules about order and deadlines can fail, on both drivers. */
class OrderSensitivityTest {
    private final Duration patience = Soon.patience;

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "SERVES_THE_LAST_FIRST, whoAskedFirstIsServedFirst",
        "KEEPS_A_TICKET_WHEN_IT_GIVES_UP, whoGaveUpIsSkipped",
        "KEEPS_A_TICKET_WHEN_IT_IS_CLOSED, aClosedClientLeavesTheQueue",
        "HAS_LONG_TICKETS, theWaitersOfADeadClientAreSkippedTogether",
        "JUMPS_THE_QUEUE, askingOnceInOrderDoesNotJumpTheQueue",
        "LEAVES_ITS_TICKET, nothingStaysInTheQueue",
        "TAKES_TWO_TICKETS, aTicketIsTakenOnceWhateverIsLost",
        "ASKS_TWICE, anAnswerComesOneCommandAfterTheDeadline#boolean",
    })
    void aMistakeInWaitingIsCaught(OrderMistake mistake, String rule) {
        ContractSensitivityTest.assertBreaks(mistake, rule);
    }

    @BeforeEach
    void loseNoTime() {
        Soon.patience = Duration.ofSeconds(1);
    }

    @AfterEach
    void takeTime() {
        Soon.patience = patience;
    }
}
