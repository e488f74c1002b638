package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RenewalTimeTest {
    private static final Duration NEVER = Duration.ofDays(1);
    private static final int STALE = 4;

    @Test
    void earlyTriesAreShortAndTheLastOneIsLong() {
        Duration part = Duration.ofSeconds(1);

        assertThat(tries(RenewalTime.of(part.multipliedBy(12)), Duration.ZERO, limit -> false))
                .extracting(Duration::toSeconds)
                .containsExactly(1L, 1L, 1L, 1L, 1L, 2L, 5L);
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 10, 30, 60})
    void afterFourStaleConnectionsThreeTriesAreLeft(long ttlSeconds) {
        List<Duration> tries = tries(kept(ttlSeconds), Duration.ZERO, limit -> false);

        assertThat(tries).hasSizeGreaterThanOrEqualTo(STALE + 3);
        assertThat(tries)
                .element(tries.size() - 1)
                .satisfies(last -> assertThat(last)
                        .isGreaterThan(Duration.ofSeconds(ttlSeconds).dividedBy(4)));
    }

    @ParameterizedTest
    @ValueSource(longs = {50, 300, 500})
    void aSlowServerAnswersInTime(long replyMillis) {
        Duration reply = Duration.ofMillis(replyMillis);

        List<Duration> tries = tries(kept(2), Duration.ZERO, limit -> limit.compareTo(reply) > 0);

        assertThat(tries).last().satisfies(last -> assertThat(last).isGreaterThan(reply));
    }

    @Test
    void aServerThatIsKnownToBeSlowAnswersTheFirstTry() {
        Duration reply = Duration.ofMillis(300);

        assertThat(tries(kept(2), reply, limit -> limit.compareTo(reply) > 0)).hasSize(1);
    }

    @Test
    void onAServerThatIsKnownToBeSlowATryFollowsFourStaleConnections() {
        Duration reply = Duration.ofMillis(300);

        assertThat(tries(kept(10), reply, limit -> false))
                .hasSizeGreaterThan(STALE)
                .allSatisfy(limit -> assertThat(limit).isGreaterThan(reply));
    }

    @Test
    void noTryTakesLongerThanTheLeaseLasts() {
        Duration left = Duration.ofMillis(20);

        assertThat(kept(2).nextTry(left, Duration.ZERO)).isEqualTo(left);
        assertThat(kept(2).nextTry(left, NEVER)).isEqualTo(left);
    }

    private static RenewalTime kept(long ttlSeconds) {
        Duration ttl = Duration.ofSeconds(ttlSeconds);
        return RenewalTime.ofKeepAlive(ttl.multipliedBy(2).dividedBy(3), ttl);
    }

    /** Returns the limits of the tries until one is answered, or the lease has ended. */
    private static List<Duration> tries(RenewalTime time, Duration slowest, Predicate<Duration> isAnswered) {
        List<Duration> tries = new ArrayList<>();
        Duration left = time.left();
        while (left.compareTo(Duration.ofMillis(10)) > 0
                && (tries.isEmpty() || !isAnswered.test(tries.get(tries.size() - 1)))) {
            Duration limit = time.nextTry(left, slowest);
            tries.add(limit);
            left = left.minus(limit);
        }
        return tries;
    }
}
