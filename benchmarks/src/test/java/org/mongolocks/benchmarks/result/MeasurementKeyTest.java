package org.mongolocks.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementKeyTest {
    @Test
    void parametersAreNumbersAndStrings() {
        MeasurementKey subject = MeasurementKey.of("B6", "alpha", Client.SYNC)
                .with("waiters", 64)
                .with("section", "1 ms");

        assertThat(subject.parameters()).containsEntry("waiters", 64).containsEntry("section", "1 ms");
        assertThatThrownBy(() -> subject.with("list", List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
