package org.mongolocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockRequestTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    @Test
    void everyOptionKeepsTheOthers() {
        LockRequest all = LockRequest.of("a", TTL)
                .note("nightly")
                .fair()
                .keepAliveAtMost(TTL.multipliedBy(2))
                .holdAtLeast(TTL)
                .waitAtMost(Duration.ofSeconds(2))
                .note("nightly run");

        assertThat(all.name()).isEqualTo(LockName.of("a"));
        assertThat(all.ttl()).isEqualTo(TTL);
        assertThat(all.waitAtMost()).isEqualTo(Duration.ofSeconds(2));
        assertThat(all.isKeptAlive()).isTrue();
        assertThat(all.isFair()).isTrue();
        assertThat(all.note()).contains("nightly run");
        assertThat(all.keepAliveLimit()).contains(TTL.multipliedBy(2));
        assertThat(all.minimumHold()).isEqualTo(TTL);
        assertThat(all.fair()).isEqualTo(all);
    }

    @Test
    void requestsAreEqualIfTheyAskForTheSame() {
        LockRequest request = LockRequest.of("a", TTL);

        assertThat(request)
                .isEqualTo(LockRequest.of(LockName.of("a"), TTL))
                .hasSameHashCodeAs(LockRequest.of("a", TTL));
        assertThat(Stream.of(
                        LockRequest.of("b", TTL),
                        LockRequest.of("a", TTL.multipliedBy(2)),
                        request.waitAtMost(TTL),
                        request.fixedLease(),
                        request.keepAliveAtMost(TTL),
                        request.fair(),
                        request.note("nightly"),
                        request.holdAtLeast(TTL)))
                .doesNotContain(request)
                .doesNotHaveDuplicates();
        assertThat(request.note("nightly"))
                .hasToString(
                        "LockRequest[a, " + TTL + ", PT0S, true, false, Optional[nightly]," + " Optional.empty, PT0S]");
    }

    @Test
    void theLimitOfAKeepAliveIsAtLeastTheTtl() {
        LockRequest request = LockRequest.of("a", TTL);

        assertThat(request.keepAliveAtMost(TTL).keepAliveLimit()).contains(TTL);
        assertThatIllegalArgumentException().isThrownBy(() -> request.keepAliveAtMost(TTL.minusMillis(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.keepAliveAtMost(LockRequest.MAX_WAIT.plusMillis(1)));
    }

    @Test
    void aFixedLeaseHasNoLimitForItsRenewals() {
        LockRequest request = LockRequest.of("a", TTL);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.fixedLease().keepAliveAtMost(TTL))
                .withMessageContaining("fixedLease");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.keepAliveAtMost(TTL).fixedLease())
                .withMessageContaining("keepAliveAtMost");
    }

    @Test
    void theMinimumHoldIsAtMostTheTtl() {
        LockRequest request = LockRequest.of("a", TTL);

        assertThat(request.minimumHold()).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> request.holdAtLeast(TTL.plusMillis(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> request.holdAtLeast(Duration.ofMillis(-1)));
    }

    @Test
    void longerNoteIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("a", TTL).note("é".repeat(128) + "x"))
                .withMessage("note must have at most 256 bytes of UTF-8, had 257");
    }

    @Test
    void noteWithAnUnpairedSurrogateIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("a", TTL).note("\ud800"))
                .withMessageContaining("unpaired surrogate");
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
                .withMessageContaining("waitAtMost must be from PT0S to PT8760H");
    }
}
