package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;
import org.mongolocks.benchmarks.sampling.Rounds.Round;

class InterleavedSamplesTest {
    private final MeasuredOperation baseline = operation("floor");
    private final MeasuredOperation other = operation("other-floor");
    private final MeasuredOperation first = operation("first").over(baseline);
    private final MeasuredOperation second = operation("second").over(baseline);
    private final MeasuredOperation third = operation("third").over(other);

    @Test
    void neighboursShareARunOfTheirBaseline() {
        assertThat(InterleavedSamples.order(List.of(first, second, third, baseline)))
                .containsExactly(baseline, first, baseline, second, baseline, other, third, other, baseline);
    }

    @Test
    void runIsComparedWithTheMeanOfTheBaselineRunsAroundIt() {
        InterleavedSamples samples = new InterleavedSamples();
        samples.add(List.of(entry(baseline, 100), entry(first, 330), entry(baseline, 120)));

        assertThat(ratios(samples, first)).containsExactly(3.0);
    }

    @Test
    void nearestBaselineRunsCount() {
        InterleavedSamples samples = new InterleavedSamples();
        samples.add(List.of(
                entry(baseline, 900),
                entry(baseline, 100),
                entry(other, 1),
                entry(third, 200),
                entry(other, 1),
                entry(baseline, 100),
                entry(baseline, 900)));

        assertThat(ratios(samples, third)).containsExactly(2.0);
    }

    @Test
    void missingBaselineRunIsReplacedByTheOther() {
        InterleavedSamples samples = new InterleavedSamples();
        samples.add(List.of(entry(first, 200), entry(baseline, 100)));
        samples.add(List.of(entry(baseline, 100), entry(first, 300)));

        assertThat(ratios(samples, first)).containsExactly(2.0, 3.0);
    }

    @Test
    void aLapIsNeverComparedWithAnother() {
        InterleavedSamples samples = new InterleavedSamples();
        samples.add(List.of(entry(first, 200)));
        samples.add(List.of(entry(baseline, 100)));

        assertThat(ratios(samples, first)).isEmpty();
        assertThat(samples.values(first, Sample::p50Nanos)).containsExactly(200);
    }

    @Test
    void valuesKeepTheNumbersOfTheirRounds() {
        InterleavedSamples samples = new InterleavedSamples();
        samples.add(List.of(entry(first, 200), entry(second, 300)));
        samples.add(List.of(entry(first, 210)));
        samples.add(List.of(entry(second, 330), entry(first, 220)));

        assertThat(samples.byRound(first, Sample::p50Nanos)).isEqualTo(Map.of(1, 200.0, 2, 210.0, 3, 220.0));
        assertThat(samples.byRound(second, Sample::p50Nanos)).isEqualTo(Map.of(1, 300.0, 3, 330.0));
    }

    @Test
    void orderOfEverySecondRoundIsReversed() {
        List<MeasuredOperation> order = InterleavedSamples.order(List.of(first, third));

        assertThat(new Round(1, true).inOrder(order)).containsExactly(baseline, first, baseline, other, third, other);
        assertThat(new Round(2, true).inOrder(order)).containsExactly(other, third, other, baseline, first, baseline);
    }

    private double[] ratios(InterleavedSamples samples, MeasuredOperation operation) {
        return samples.ratios(operation, baseline, Sample::p50Nanos);
    }

    private static InterleavedSamples.Entry entry(MeasuredOperation operation, double p50) {
        return new InterleavedSamples.Entry(operation, new Sample(p50, 1, 1));
    }

    private static MeasuredOperation operation(String contender) {
        return MeasuredOperation.of(MeasurementKey.of("B1", contender, Client.SYNC), () -> {});
    }
}
