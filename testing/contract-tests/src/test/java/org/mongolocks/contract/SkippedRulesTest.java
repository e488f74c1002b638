package org.mongolocks.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.mongolocks.contract.adapter.Driver;

class SkippedRulesTest {
    private static final String NO_TRANSACTIONS = "A standalone has no transactions: GT-1, 7";
    private static final String NO_THREADS = "The reactive client has no lock that belongs to a thread: JL-1";

    @Test
    void skippedRulesArePrintedOnceAtTheEndOfAClass() {
        assertThat(printedBy(
                        "aGuardedTransactionIsCommittedAndExtendsTheLease",
                        "workThatFailsLeavesNothing",
                        "aThreadLocksAgainAndUnlocksAsOften"))
                .containsOnlyOnce("rules not run in FlagUpdateStandaloneTest:")
                .contains(NO_TRANSACTIONS, NO_THREADS);
    }

    @Test
    void classWithoutSkippedRulesPrintsNothing() {
        assertThat(printedBy("aLeaseIsLiveUntilItsEnd")).doesNotContain("not run");
    }

    private static String printedBy(String... rules) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, UTF_8));
        try {
            EngineTestKit.Builder kit = EngineTestKit.engine("junit-jupiter");
            for (String rule : rules) {
                kit.selectors(selectMethod(FlagUpdateStandaloneTest.class.getName() + "#" + rule + "()"));
            }
            kit.execute()
                    .testEvents()
                    .assertStatistics(events -> events.started((long) rules.length * Driver.values().length)
                            .failed(0));
        } finally {
            System.setOut(before);
        }
        return printed.toString(UTF_8);
    }
}
