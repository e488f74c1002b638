package org.mongolocks.benchmarks.report.choice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.PairedDifference;

class BestChoiceTest {
    private static final double MINUTES = 6;

    @Test
    void strategyThatBeatsAllOthersInPairsIsTheOnlyLeader() {
        BestChoice choice = least(
                List.of(wide("a", 100), wide("b", 110), wide("c", 120)),
                pair("a", "b", 0.91, 0.88, 0.94),
                pair("a", "c", 0.83, 0.80, 0.86),
                pair("b", "c", 0.92, 0.85, 0.99));

        assertThat(names(choice.leaders())).containsExactly("a");
        assertThat(names(choice.others())).containsExactly("b", "c");
        assertThat(choice.isOne()).isTrue();
    }

    @Test
    void pairsDecideAgainstTheOrderOfFiguresThatDrifted() {
        BestChoice choice = least(List.of(wide("a", 100), wide("b", 110)), pair("b", "a", 0.91, 0.88, 0.94));

        assertThat(names(choice.leaders())).containsExactly("b");
    }

    @Test
    void ofThroughputTheLargerWins() {
        BestChoice choice = BestChoice.among(
                List.of(wide("a", 100), wide("b", 110)), List.of(pair("a", "b", 0.91, 0.88, 0.94)), true);

        assertThat(names(choice.leaders())).containsExactly("b");
    }

    @Test
    void leadersThatNoPairTellsApartAreListedWithTheRoundsThatWouldDecide() {
        BestChoice choice = least(
                List.of(wide("a", 100), wide("b", 105), wide("c", 150)),
                pair("a", "b", 0.95, 0.88, 1.03),
                pair("a", "c", 0.67, 0.6, 0.75));

        assertThat(names(choice.leaders())).containsExactly("a", "b");
        assertThat(names(choice.others())).containsExactly("c");
        assertThat(choice.whatWouldDecide(MINUTES))
                .isEqualTo("About 113 rounds would decide, this run had 12: --only B1 --minutes 57.");
    }

    @Test
    void differenceThatNoRunDecidesIsLeftToGuarantees() {
        BestChoice choice = least(List.of(wide("a", 100), wide("b", 101)), pair("a", "b", 0.99, 0.7, 1.4));

        assertThat(choice.whatWouldDecide(MINUTES))
                .isEqualTo("A run of 600 minutes would not decide either: choose by guarantees.");
    }

    @Test
    void leadersWithinTwoPercentAreTheSame() {
        BestChoice choice = least(List.of(wide("a", 100), wide("b", 101)), pair("a", "b", 0.995, 0.985, 1.005));

        assertThat(choice.whatWouldDecide(MINUTES)).startsWith("They are the same within 2 %");
    }

    @Test
    void leadersAtTwoPercentNeedNoLongerRun() {
        BestChoice choice = least(List.of(wide("a", 100), wide("b", 101)), pair("a", "b", 1.019, 1.011, 1.027));

        assertThat(choice.whatWouldDecide(MINUTES)).startsWith("They differ by about 2 %");
    }

    @Test
    void countsDifferByMoreThanTwoPercent() {
        assertThat(names(least(List.of(count("a", 100), count("b", 101))).leaders()))
                .containsExactly("a", "b");
        assertThat(least(List.of(count("a", 100), count("b", 101))).whatWouldDecide(MINUTES))
                .startsWith("They are the same within 2 %");
        assertThat(names(least(List.of(count("a", 100), count("b", 103))).leaders()))
                .containsExactly("a");
    }

    @Test
    void pairOfASingleRoundDoesNotCount() {
        PairedDifference once =
                new PairedDifference(key("a"), "b", Metric.LATENCY.name(), new Estimate(0.5, Optional.empty(), 1));

        BestChoice choice = least(List.of(wide("a", 100), wide("b", 105)), once);

        assertThat(names(choice.leaders())).containsExactly("a", "b");
        assertThat(choice.whatWouldDecide(MINUTES))
                .isEqualTo("Their intervals overlap."
                        + " A run of 600 minutes would not decide either: choose by guarantees.");
    }

    @Test
    void intervalsThatOverlapNameTheRunInWhichTheyWouldNot() {
        BestChoice choice = least(List.of(spread("a", 100, 10), spread("b", 105, 10)));

        assertThat(choice.whatWouldDecide(MINUTES))
                .isEqualTo("Their intervals overlap; those of a longer run would not: --only B1 --minutes 96.");
    }

    @Test
    void figuresWithoutAnIntervalNameTheRunWithThreeRounds() {
        BestChoice choice = least(List.of(once("a", 1), once("b", 2)));

        assertThat(choice.whatWouldDecide(1))
                .isEqualTo("There is no interval, which needs three rounds: --only B1 --minutes 6.");
        assertThat(choice.whatWouldDecide(20))
                .isEqualTo("There is no interval, which needs three rounds: --only B1 --minutes 60.");
    }

    @Test
    void withoutFiguresThereIsNoLeader() {
        assertThat(least(List.of()).isEmpty()).isTrue();
    }

    private static BestChoice least(List<Measurement> figures, PairedDifference... pairs) {
        return BestChoice.among(figures, List.of(pairs), false);
    }

    private static List<String> names(List<Measurement> figures) {
        return figures.stream().map(one -> one.subject().contender()).toList();
    }

    private static PairedDifference pair(String first, String second, double ratio, double low, double high) {
        return new PairedDifference(
                key(first),
                second,
                Metric.LATENCY.name(),
                new Estimate(ratio, Optional.of(new Interval(low, high)), 12));
    }

    /** Returns a time whose interval overlaps that of any other. */
    private static Measurement wide(String name, double value) {
        return Measurement.of(
                key(name), Metric.LATENCY, new Estimate(value, Optional.of(new Interval(1, 1_000)), 12), 100);
    }

    private static Measurement spread(String name, double value, double reach) {
        Interval interval = new Interval(value - reach, value + reach);
        return Measurement.of(key(name), Metric.LATENCY, new Estimate(value, Optional.of(interval), 12), 100);
    }

    /** Returns a time of so many rounds, too few for an interval. */
    private static Measurement once(String name, int rounds) {
        return Measurement.of(key(name), Metric.LATENCY, new Estimate(100, Optional.empty(), rounds), 100);
    }

    private static Measurement count(String name, double value) {
        return Measurement.of(key(name), Metric.BYTES, Estimate.once(value), 100);
    }

    private static MeasurementKey key(String name) {
        return MeasurementKey.of("B1", name, Client.SYNC);
    }
}
