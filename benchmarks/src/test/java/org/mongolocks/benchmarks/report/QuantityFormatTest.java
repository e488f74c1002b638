package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class QuantityFormatTest {
    @Test
    void valueIsShownInTheUnitThatSuitsItsSize() {
        assertThat(QuantityFormat.of(950, "ns")).isEqualTo("950 ns");
        assertThat(QuantityFormat.of(1_234_000, "ns")).isEqualTo("1.23 ms");
        assertThat(QuantityFormat.of(21_400, "B/op")).isEqualTo("21.4 kB/op");
        assertThat(QuantityFormat.of(2_000_000, "ns/op")).isEqualTo("2.00 ms/op");
    }

    @Test
    void unitWithoutSubunitsIsKept() {
        assertThat(QuantityFormat.of(2.4, "commands")).isEqualTo("2.40 commands");
        assertThat(QuantityFormat.of(0.987, "ratio")).isEqualTo("0.987");
        assertThat(QuantityFormat.of(1_234.5, "1/s")).isEqualTo("1235 a second");
        assertThat(QuantityFormat.of(0, "1/s")).isEqualTo("0 a second");
    }

    @Test
    void thousandsAreApart() {
        assertThat(QuantityFormat.number(1_234_567)).isEqualTo("1\u00a0234\u00a0567");
    }

    @Test
    void figuresAreTheSameInEveryCountry() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(QuantityFormat.fixed(1.234_567, 3)).isEqualTo("1.235");
            assertThat(QuantityFormat.fixed(12.6, 0)).isEqualTo("13");
        } finally {
            Locale.setDefault(before);
        }
    }
}
