package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;

class DifferenceTest {
    @Test
    void overlappingIntervalsAreNoDifference() {
        assertThat(change(value(1.0, 0.9, 1.1), value(1.3, 1.1, 1.5)).exceedsNoise())
                .isFalse();
    }

    @Test
    void disjointIntervalsAreADifference() {
        assertThat(change(value(1.0, 0.9, 1.1), value(1.3, 1.2, 1.5)).exceedsNoise())
                .isTrue();
        assertThat(change(value(1.3, 1.2, 1.5), value(1.0, 0.9, 1.1)).exceedsNoise())
                .isTrue();
    }

    @Test
    void withoutAnIntervalAChangeHasToBeATenth() {
        assertThat(change(value(100), value(109)).exceedsNoise()).isFalse();
        assertThat(change(value(100), value(89)).exceedsNoise()).isTrue();
        assertThat(change(value(100), value(89)).growth()).isEqualTo(-0.11, within(1e-9));
    }

    @Test
    void aRatioComesBeforeTheValue() {
        Document before = value(100).append("ratio", new Document("to", "floor-ping").append("value", 2.0));
        Document now = value(900).append("ratio", new Document("to", "floor-ping").append("value", 2.0));

        assertThat(change(before, now).growth()).isZero();
        assertThat(change(before, now).unit()).isEqualTo("x floor-ping");
    }

    @Test
    void onlyMeasurementsOfBothRunsAreCompared() {
        Document sync = value(1);
        Document reactive = value(1).append("client", "reactive");

        assertThat(DifferenceReport.between(List.of(sync), List.of(reactive))).isEmpty();
        assertThat(DifferenceReport.between(List.of(sync), List.of(reactive, sync)))
                .hasSize(1);
    }

    private static Difference change(Document before, Document now) {
        return Difference.of(before, now);
    }

    private static Document value(double value, double low, double high) {
        return value(value).append("low", low).append("high", high);
    }

    private static Document value(double value) {
        return new Document("benchmark", "B1")
                .append("metric", "latency")
                .append("contender", "alpha")
                .append("client", "sync")
                .append("parameters", new Document("threads", 1))
                .append("unit", "ns")
                .append("value", value);
    }
}
