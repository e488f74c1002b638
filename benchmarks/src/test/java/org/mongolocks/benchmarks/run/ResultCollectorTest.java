package org.mongolocks.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
import org.mongolocks.benchmarks.result.PairedDifference.Series;

class ResultCollectorTest {
    private final ResultCollector collector = new ResultCollector();

    @Test
    void measurementOfAnUnknownContenderIsRefused() {
        Measurement measurement =
                Measurement.of(MeasurementKey.of("B1", "alpha", Client.SYNC), Metric.LATENCY, Estimate.once(1), 1);

        assertThatThrownBy(() -> collector.record(measurement)).hasMessageContaining("'alpha' was not entered");
    }

    @Test
    void voidContenderStaysVoidAfterALaterFailure() {
        collector.enter(contender("alpha"));

        collector.judge("alpha", MeasurementStatus.voided("Two were in"));
        collector.judge("alpha", MeasurementStatus.skipped("It failed"));

        assertThat(collector.isIn("alpha")).isFalse();
        assertThat(collector.findings().contenders())
                .extracting(contender -> contender.verdict().status())
                .containsExactly(Status.VOID);
    }

    @Test
    void contenderEnteredTwiceIsListedOnceAndKeepsItsStatus() {
        collector.enter(contender("alpha"));
        collector.judge("alpha", MeasurementStatus.skipped("Not here"));
        collector.enter(contender("alpha"));

        assertThat(collector.isIn("alpha")).isFalse();
        assertThat(collector.findings().contenders()).hasSize(1);
    }

    @Test
    void strategiesAreComparedWithEachOtherAndWithOtherLibraries() {
        collector.begin("B1");
        for (String id : List.of("alpha", "beta", "failing", "violating")) {
            collector.enter(LockUnderTest.of(id, Kind.STRATEGY, id, Properties.ofBaseline("majority")));
            compare(id);
        }
        collector.enter(LockUnderTest.of("baseline", Kind.BASELINE, "baseline", Properties.ofBaseline("majority")));
        collector.enter(contender("peer"));
        collector.enter(contender("other peer"));
        List.of("baseline", "peer", "other peer").forEach(this::compare);
        collector.fail("failing", "It failed");
        collector.judge("violating", MeasurementStatus.voided("Two were in"));

        assertThat(collector.findings().differences())
                .allSatisfy(difference ->
                        assertThat(difference.ratio().repetitions()).isEqualTo(3))
                .extracting(difference -> difference.first().contender() + " " + difference.second())
                .containsExactly("alpha beta", "alpha peer", "alpha other peer", "beta peer", "beta other peer");
    }

    private void compare(String id) {
        collector.compare(new Series(
                MeasurementKey.of("B1", id, Client.SYNC),
                Metric.LATENCY,
                new TreeMap<>(Map.of(1, 3.0, 2, 4.0, 3, 5.0))));
    }

    private static LockUnderTest contender(String id) {
        return LockUnderTest.of(id, Kind.PEER, id, Properties.ofBaseline("majority"));
    }
}
