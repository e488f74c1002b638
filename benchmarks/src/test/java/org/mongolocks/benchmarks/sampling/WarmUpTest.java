package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private final WarmUp warmUp = new WarmUp();

    @Test
    void fastOperationIsWarmAfterManyRepetitionsAndNotWhenItIsSteady() {
        for (int turn = 0; turn < 9; turn++) {
            add(1_000, 200);
        }
        assertThat(warmUp.isOver()).isFalse();

        add(1_000, 200);

        assertThat(warmUp.isOver()).isTrue();
    }

    @Test
    void slowOperationIsWarmWhenItsMedianHasStoppedFalling() {
        add(20, 9_000);
        add(20, 6_000);
        add(20, 5_000);
        add(20, 4_950);
        assertThat(warmUp.isOver()).isFalse();

        add(20, 5_000);

        assertThat(warmUp.isOver()).isTrue();
    }

    @Test
    void slowOperationThatBecomesFasterAgainIsNotWarm() {
        add(20, 5_000);
        add(20, 5_000);
        add(20, 4_000);
        add(20, 4_000);

        assertThat(warmUp.isOver()).isFalse();
    }

    private void add(int repetitions, long micros) {
        Histogram nanos = new Histogram(3);
        nanos.recordValueWithCount(TimeUnit.MICROSECONDS.toNanos(micros), repetitions);
        warmUp.add(nanos);
    }
}
