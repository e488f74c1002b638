package org.mongolocks.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;

class CandidateTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final Candidate candidate = Candidate.of("reports", TTL);

    @Test
    void termIsSuspendedAtHalfAndRevokedAtASixthOfTheLease() {
        assertThat(candidate.timing().suspendedAt()).isEqualTo(Duration.ofSeconds(15));
        assertThat(candidate.timing().revokedAt()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void requestIsKeptAliveAndNamesTheCandidate() {
        LockRequest request = candidate.id("a").fair().request(Duration.ofSeconds(1));

        assertThat(request.isKeptAlive()).isTrue();
        assertThat(request.isFair()).isTrue();
        assertThat(request.note()).contains("a");
        assertThat(request.waitAtMost()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void timesOutOfBoundsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> candidate.revokedAt(Duration.ofSeconds(21), Duration.ofSeconds(5)))
                .withMessageContaining("two thirds");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> candidate.revokedAt(Duration.ofSeconds(5), Duration.ofSeconds(5)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> candidate.revokedAt(Duration.ofSeconds(5), Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> candidate.pause(Duration.ofHours(2)));
        assertThatIllegalArgumentException().isThrownBy(() -> candidate.settling(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> candidate.id("x".repeat(257)));
        assertThatIllegalArgumentException().isThrownBy(() -> Candidate.of("", TTL));
    }

    @Test
    void everySettingIsKeptByTheOthers() {
        Candidate all = candidate
                .id("a")
                .fair()
                .once()
                .revokedAt(Duration.ofSeconds(10), Duration.ofSeconds(2))
                .pause(Duration.ofSeconds(3))
                .settling(Duration.ofSeconds(4))
                .standby(Duration.ofSeconds(5));

        assertThat(all)
                .isEqualTo(new Candidate(
                        candidate.role(),
                        TTL,
                        java.util.Optional.of("a"),
                        true,
                        true,
                        new Candidate.Timing(
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(4),
                                Duration.ofSeconds(5))));
    }
}
