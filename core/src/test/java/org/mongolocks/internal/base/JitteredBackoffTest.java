package org.mongolocks.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JitteredBackoffTest {
    private static final Duration FIRST = Duration.ofMillis(10);
    private static final Duration CAP = Duration.ofSeconds(1);

    @Test
    void doublesUpToTheCap() {
        JitteredBackoff longest = new JitteredBackoff(FIRST, CAP, always(Math.nextDown(1.0)));

        assertThat(IntStream.rangeClosed(1, 9).mapToObj(longest::apply))
                .isEqualTo(List.of(10L, 20L, 40L, 80L, 160L, 320L, 640L, 1000L, 1000L));
    }

    @Test
    void jitterTakesOffAtMostHalfAlsoAtTheCap() {
        JitteredBackoff shortest = new JitteredBackoff(FIRST, CAP, always(0));

        assertThat(shortest.apply(1)).isEqualTo(5);
        assertThat(shortest.apply(20)).isEqualTo(500);
    }

    @Test
    void waitersAtTheCapDoNotComeTogether() {
        JitteredBackoff backoff = new JitteredBackoff(FIRST, CAP, new SplittableRandom(42));

        assertThat(IntStream.range(0, 100).mapToObj(i -> backoff.apply(100)).distinct())
                .hasSizeGreaterThan(50);
    }

    @Test
    void anyAttemptNumberIsFine() {
        JitteredBackoff backoff = new JitteredBackoff(FIRST, Duration.ofDays(1), always(0.5));

        assertThat(backoff.apply(Integer.MAX_VALUE))
                .isBetween(1L, Duration.ofDays(1).toMillis());
    }

    @Test
    void boundsAreChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> new JitteredBackoff(Duration.ZERO, CAP, always(0)));
        assertThatIllegalArgumentException().isThrownBy(() -> new JitteredBackoff(CAP, FIRST, always(0)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JitteredBackoff(FIRST, Duration.ofSeconds(Long.MAX_VALUE), always(0)))
                .withMessageContaining("at most a day");
    }

    private static RandomGenerator always(double value) {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                throw new AssertionError("only doubles are drawn");
            }

            @Override
            public double nextDouble() {
                return value;
            }
        };
    }
}
