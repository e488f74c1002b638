package org.mongolocks.internal.optimistic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UpdateBackoffTest {
    @Test
    void waitsAreRandomAndBounded() {
        UpdateBackoff backoff = new UpdateBackoff(10, Duration.ofMillis(5), Duration.ofMillis(40), new Random(7));

        for (int tries = 1; tries < 100; tries++) {
            long bound = Math.min(40, 5L << Math.min(tries - 1, 10));
            assertThat(backoff.waitAfter(tries)).isBetween(Duration.ZERO, Duration.ofMillis(bound));
        }
    }
}
