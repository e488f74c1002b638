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
    private final ResultCollector collector = new ResultCollector();

    @Test
    void aNumberOfSomebodyUnknownIsRefused() {
        Measurement measurement =
                Measurement.of(MeasurementKey.of("B1", "alpha", Client.SYNC), Metric.LATENCY, Estimate.once(1), 1);

        assertThatThrownBy(() -> collector.record(measurement)).hasMessageContaining("'alpha' was not entered");
    }

    @Test
    void whoDidNotExcludeStaysVoidWhateverHappensThen() {
        collector.enter(contender("alpha"));

        collector.judge("alpha", MeasurementStatus.voided("Two were in"));
        collector.judge("alpha", MeasurementStatus.skipped("It failed"));

        assertThat(collector.isIn("alpha")).isFalse();
        assertThat(collector.findings().contenders())
                .extracting(contender -> contender.verdict().status())
                .containsExactly(Status.VOID);
    }

    @Test
    void whoEntersTwiceIsListedOnceAndKeepsItsVerdict() {
        collector.enter(contender("alpha"));
        collector.judge("alpha", MeasurementStatus.skipped("Not here"));
        collector.enter(contender("alpha"));

        assertThat(collector.isIn("alpha")).isFalse();
        assertThat(collector.findings().contenders()).hasSize(1);
    }

    private static LockUnderTest contender(String id) {
        return LockUnderTest.of(id, Kind.PEER, id, Properties.ofBaseline("majority"));
    }
}
