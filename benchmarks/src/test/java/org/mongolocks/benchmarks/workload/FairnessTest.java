package org.mongolocks.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class FairnessTest {
    @Test
    void equalSharesAreFair() {
        assertThat(ContentionResult.jainIndex(List.of(7L, 7L, 7L, 7L))).isEqualTo(1);
    }

    @Test
    void everythingToOneOfFourIsAQuarter() {
        assertThat(ContentionResult.jainIndex(List.of(0L, 12L, 0L, 0L))).isEqualTo(0.25);
    }

    @Test
    void sharesInBetweenFollowJainsFormula() {
        assertThat(ContentionResult.jainIndex(List.of(1L, 2L, 3L))).isEqualTo(36.0 / (3 * 14), within(1e-12));
    }

    @Test
    void fairnessWithoutGrantsIsZero() {
        assertThat(ContentionResult.jainIndex(List.of(0L, 0L))).isZero();
    }
}
