package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class NumberFormatTest {
    @Test
    void figuresAreTheSameInEveryCountry() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(NumberFormat.millis(1_234_567)).isEqualTo("1.235");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void aWholeMeanHasNoDecimals() {
        assertThat(NumberFormat.mean(2)).isEqualTo("2");
        assertThat(NumberFormat.mean(2.25)).isEqualTo("2.3");
    }

    @Test
    void aRangeGoesFromQuartileToQuartile() {
        assertThat(NumberFormat.range(1.04, 1.256)).isEqualTo("1.04-1.26");
    }

    @Test
    void driftIsAPercentage() {
        assertThat(NumberFormat.percent(0.126)).isEqualTo("13 %");
    }
}
