package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The samples of a round, of which a run of {@code B1} has about so many. */
class SampleTimeTest {
    private static final int SAMPLES = 32;

    /** What {@code B1} has for its rounds in runs of 6, 20, 90 and 600 minutes. */
    @ParameterizedTest
    @CsvSource({"20, 12", "67, 40", "300, 180", "2000, 1200"})
    void roundsGrowWithTheTime(long seconds, long least) {
        Duration time = Duration.ofSeconds(seconds);

        Duration round = InterleavedRunner.sampleTime(time, SAMPLES).multipliedBy(SAMPLES);

        assertThat(time.dividedBy(round)).isGreaterThanOrEqualTo(least);
    }

    @Test
    void shortRunHasShorterSamples() {
        assertThat(InterleavedRunner.sampleTime(Duration.ofSeconds(4), SAMPLES))
                .isBetween(Duration.ofMillis(10), Duration.ofMillis(11));
        assertThat(InterleavedRunner.sampleTime(Duration.ZERO, SAMPLES)).isEqualTo(Duration.ofMillis(5));
    }
}
