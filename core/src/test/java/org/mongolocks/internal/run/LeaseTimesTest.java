package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.Owner;

class LeaseTimesTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void remainingTimeIsCorrectWhenNanoTimeOverflows() {
        long start = Long.MAX_VALUE - 5;
        Lease lease = lease(start + TTL.toNanos());

        assertThat(LeaseTimes.remaining(lease, start)).isEqualTo(TTL);
        assertThat(LeaseTimes.remaining(lease, start + TTL.toNanos() + 1)).isZero();
    }

    @Test
    void renewalNeverMovesTheEndBack() {
        Lease lease = lease(TTL.toNanos());

        assertThat(LeaseTimes.renewed(lease, 3, TTL).validUntilNanos()).isEqualTo(TTL.toNanos() + 3);
        assertThat(LeaseTimes.renewed(lease, -3, TTL).validUntilNanos()).isEqualTo(TTL.toNanos());
    }

    private static Lease lease(long validUntilNanos) {
        return new Lease(LockName.of("a"), new Owner("test", new UUID(0, 1)), 1, TTL, validUntilNanos);
    }
}
