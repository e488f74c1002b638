package org.mongolocks.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.scenario.RenewalLatency.KeepAliveBenchmark;

class KeepAliveBenchmarkTest {
    private static final Duration MIN_TTL = Duration.ofSeconds(2);

    @ParameterizedTest
    @ValueSource(longs = {1, 7_000_000_001L, 34_042_553_190L, 999_999_999_999L})
    void aLeaseFitsAnyShareOfTheTime(long nanos) {
        LockRequest request = LockRequest.of("idle", KeepAliveBenchmark.ttl(Duration.ofNanos(nanos), MIN_TTL));

        assertThat(request.ttl()).isBetween(MIN_TTL, Duration.ofSeconds(20));
    }

    @Test
    void moreTimeMakesALongerLease() {
        assertThat(KeepAliveBenchmark.ttl(Duration.ofSeconds(30), MIN_TTL))
                .isGreaterThan(KeepAliveBenchmark.ttl(Duration.ofSeconds(12), MIN_TTL));
    }
}
