package org.mongolocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void remainingTimeIsNeverNegative() {
        Lease lease = lease(TTL.toNanos());

        assertThat(lease.remaining(0)).isEqualTo(TTL);
        assertThat(lease.remaining(TTL.toNanos())).isZero();
        assertThat(lease.remaining(TTL.toNanos() + 1)).isZero();
    }

    @Test
    void remainingTimeIsCorrectWhenNanoTimeOverflows() {
        long start = Long.MAX_VALUE - 5;
        Lease lease = lease(start + TTL.toNanos());

        assertThat(lease.remaining(start)).isEqualTo(TTL);
        assertThat(lease.remaining(start + TTL.toNanos() + 1)).isZero();
    }

    @Test
    void renewalNeverMovesTheEndBack() {
        Lease lease = lease(TTL.toNanos());

        assertThat(lease.renewed(3).validUntilNanos()).isEqualTo(TTL.toNanos() + 3);
        assertThat(lease.renewed(-3).validUntilNanos()).isEqualTo(TTL.toNanos());
    }

    @Test
    void anotherEndChangesNothingElse() {
        Lease lease = lease(TTL.toNanos());

        assertThat(lease.endingAt(TTL.toNanos())).isEqualTo(lease);
        assertThat(lease.endingAt(-3)).isEqualTo(lease(-3));
    }

    @Test
    void tokenIsPositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Lease(LockName.of("a"), owner(), 0, TTL, 0))
                .withMessageContaining("at least 1, was 0");
    }

    private static Lease lease(long validUntilNanos) {
        return new Lease(LockName.of("a"), owner(), 1, TTL, validUntilNanos);
    }

    private static Owner owner() {
        return new Owner("test", new UUID(0, 1));
    }
}
