package org.mongolocks.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.benchmarks.result.Metric;

class ResultCollectorTest {
    private final ResultCollector ledger = new ResultCollector();

    @Test
    void aNumberOfSomebodyUnknownIsRefused() {
        Measurement measurement =
                Measurement.of(MeasurementKey.of("B1", "alpha", Client.SYNC), Metric.LATENCY, Estimate.once(1), 1);

        assertThatThrownBy(() -> ledger.record(measurement)).hasMessageContaining("'alpha' was not entered");
    }

    @Test
    void whoDidNotExcludeStaysVoidWhateverHappensThen() {
        ledger.enter(contender("alpha"));

        ledger.judge("alpha", MeasurementStatus.voided("Two were in"));
        ledger.judge("alpha", MeasurementStatus.skipped("It failed"));

        assertThat(ledger.isIn("alpha")).isFalse();
        assertThat(ledger.findings().contenders())
                .extracting(contender -> contender.verdict().status())
                .containsExactly(Status.VOID);
    }

    @Test
    void whoEntersTwiceIsListedOnceAndKeepsItsVerdict() {
        ledger.enter(contender("alpha"));
        ledger.judge("alpha", MeasurementStatus.skipped("Not here"));
        ledger.enter(contender("alpha"));

        assertThat(ledger.isIn("alpha")).isFalse();
        assertThat(ledger.findings().contenders()).hasSize(1);
    }

    private static LockUnderTest contender(String id) {
        return LockUnderTest.of(id, Kind.PEER, id, Properties.ofFloor("majority"));
    }
}
