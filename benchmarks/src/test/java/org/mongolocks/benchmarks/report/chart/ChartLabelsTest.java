package org.mongolocks.benchmarks.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.chart.LineChart.ChartLabels;

class ChartLabelsTest {
    @Test
    void labelsWithEnoughSpaceAreNotMoved() {
        assertThat(ChartLabels.apart(new double[] {10, 30, 50}, 12, 100)).containsExactly(10, 30, 50);
    }

    @Test
    void labelsAtTheSamePositionAreStacked() {
        assertThat(ChartLabels.apart(new double[] {10, 10, 11}, 12, 100)).containsExactly(10, 22, 34);
    }

    @Test
    void noLabelIsBelowTheBottom() {
        assertThat(ChartLabels.apart(new double[] {90, 95, 100}, 12, 100)).containsExactly(76, 88, 100);
    }
}
