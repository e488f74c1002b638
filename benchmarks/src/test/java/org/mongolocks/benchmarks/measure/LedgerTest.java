package org.mongolocks.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Contender.Properties;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Subject;
import org.mongolocks.benchmarks.result.Verdict;
import org.mongolocks.benchmarks.result.Verdict.Status;

class LedgerTest {
    private final Ledger ledger = new Ledger();

    @Test
    void aNumberOfSomebodyUnknownIsRefused() {
        Measurement measurement =
                Measurement.of(Subject.of("B1", "alpha", Client.SYNC), Metric.LATENCY, Estimate.once(1), 1);

        assertThatThrownBy(() -> ledger.record(measurement)).hasMessageContaining("'alpha' was not entered");
    }

    @Test
    void whoDidNotExcludeStaysVoidWhateverHappensThen() {
        ledger.enter(contender("alpha"));

        ledger.judge("alpha", Verdict.voided("Two were in"));
        ledger.judge("alpha", Verdict.skipped("It failed"));

        assertThat(ledger.isIn("alpha")).isFalse();
        assertThat(ledger.findings().contenders())
                .extracting(contender -> contender.verdict().status())
                .containsExactly(Status.VOID);
    }

    @Test
    void whoEntersTwiceIsListedOnceAndKeepsItsVerdict() {
        ledger.enter(contender("alpha"));
        ledger.judge("alpha", Verdict.skipped("Not here"));
        ledger.enter(contender("alpha"));

        assertThat(ledger.isIn("alpha")).isFalse();
        assertThat(ledger.findings().contenders()).hasSize(1);
    }

    private static Contender contender(String id) {
        return Contender.of(id, Kind.PEER, id, Properties.ofFloor("majority"));
    }
}
