package org.mongolocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockRequestTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    @Test
    void asksOnceUnlessAWaitIsSet() {
        assertThat(LockRequest.of("a", TTL).waitAtMost()).isZero();
        assertThat(LockRequest.of("a", TTL).waitAtMost(Duration.ofSeconds(2)).waitAtMost())
                .isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void isKeptAliveOnlyIfAsked() {
        LockRequest request = LockRequest.of("a", TTL);

        assertThat(request.isKeptAlive()).isFalse();
        assertThat(request.keepAlive().waitAtMost(Duration.ofSeconds(2)))
                .isEqualTo(new LockRequest(LockName.of("a"), TTL, Duration.ofSeconds(2), true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.1S", "PT1S", "PT24H"})
    void ttlWithinBoundsIsAccepted(Duration ttl) {
        assertThat(LockRequest.of("a", ttl).ttl()).isEqualTo(ttl);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.099S", "PT0S", "PT-1S", "PT24H0.001S", "PT2562047788015215H"})
    void ttlOutOfBoundsIsRefused(Duration ttl) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("a", ttl))
                .withMessageContaining("from PT0.1S to PT24H")
                .withMessageContaining(ttl.toString());
    }

    @Test
    void ttlFinerThanAMillisecondIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("a", Duration.ofNanos(150_000_001)))
                .withMessageContaining("whole number of milliseconds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT8760H0.001S", "PT2562047788015215H"})
    void waitOutOfBoundsIsRefused(Duration wait) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("a", TTL).waitAtMost(wait))
                .withMessageContaining("A wait is from PT0S to PT8760H");
    }
}
