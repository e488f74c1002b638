package org.mongolocks.benchmarks.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.chart.Scale.Spacing;

class ScaleTest {
    @Test
    void valuesAreMappedBetweenTheEnds() {
        Scale scale = new Scale(Spacing.LINEAR, 0, 10, 100, 200);

        assertThat(scale.at(0)).isEqualTo(100);
        assertThat(scale.at(5)).isEqualTo(150);
        assertThat(scale.at(99)).isEqualTo(200);
    }

    @Test
    void equalFactorsHaveEqualDistances() {
        Scale scale = new Scale(Spacing.LOGARITHMIC, 1, 256, 0, 400);

        assertThat(scale.at(4) - scale.at(1)).isCloseTo(100, within());
        assertThat(scale.at(64) - scale.at(16)).isCloseTo(100, within());
    }

    @Test
    void aScaleMayGoUpwards() {
        Scale scale = new Scale(Spacing.LINEAR, 0, 10, 230, 10);

        assertThat(scale.at(10)).isEqualTo(10);
    }

    @Test
    void nearValuesHaveALinearScaleFromZero() {
        Scale scale = Scale.forValues(new double[] {8, 10}, 0, 105);

        assertThat(scale.spacing()).isEqualTo(Spacing.LINEAR);
        assertThat(scale.low()).isZero();
    }

    @Test
    void distantValuesHaveALogarithmicScale() {
        assertThat(Scale.forValues(new double[] {1, 1_000}, 0, 100).spacing()).isEqualTo(Spacing.LOGARITHMIC);
    }

    @Test
    void aSettingOfZeroHasItsPlace() {
        Scale scale = Scale.forSettings(new double[] {0, 10, 100}, 0, 100);

        assertThat(scale.at(0)).isZero();
        assertThat(scale.at(10)).isBetween(1.0, 99.0);
    }

    @Test
    void ticksAreRound() {
        assertThat(new Scale(Spacing.LINEAR, 0, 10, 0, 1).ticks()).containsExactly(0.0, 5.0, 10.0);
        assertThat(new Scale(Spacing.LOGARITHMIC, 3, 300, 0, 1).ticks())
                .containsExactly(5.0, 10.0, 20.0, 50.0, 100.0, 200.0);
        assertThat(new Scale(Spacing.LOGARITHMIC, 1, 2_000, 0, 1).ticks()).containsExactly(1.0, 10.0, 100.0, 1_000.0);
    }

    private static Offset<Double> within() {
        return Offset.offset(1e-9);
    }
}
