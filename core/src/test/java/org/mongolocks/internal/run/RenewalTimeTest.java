package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
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
                .extracting(limit -> Math.round(limit.toMillis() / 1_000.0))
                .containsExactly(1L, 1L, 1L, 1L, 1L, 2L, 5L);
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 10, 30, 60})
    void afterFourStaleConnectionsThreeTriesAreLeftWhateverAnEarlierWriteTook(long ttlSeconds) {
        Duration ttl = Duration.ofSeconds(ttlSeconds);
        List<Duration> earlier = IntStream.rangeClosed(0, 60)
                .mapToObj(parts -> ttl.multipliedBy(parts).dividedBy(60))
                .toList();

        assertThat(earlier).allSatisfy(slowest -> {
            List<Duration> tries = tries(kept(ttl), slowest, limit -> false);
            assertThat(tries)
                    .hasSizeGreaterThanOrEqualTo(STALE + 3)
                    .allSatisfy(limit -> assertThat(limit).isGreaterThanOrEqualTo(ttl.dividedBy(36)))
                    .last()
                    .satisfies(last -> assertThat(last).isGreaterThan(ttl.dividedBy(4)));
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 10, 60})
    void noRenewalNeedsMoreThanTheMostTries(long leftSeconds) {
        Duration left = Duration.ofSeconds(leftSeconds);

        assertThat(IntStream.range(0, 100).mapToObj(left.dividedBy(200)::multipliedBy))
                .allSatisfy(slowest -> assertThat(tries(RenewalTime.of(left), slowest, limit -> false))
                        .hasSizeLessThanOrEqualTo(RenewalTime.MAX_TRIES));
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 300, 500, 1_000})
    void threeTriesFitIntoTheShortestLeases(long ttlMillis) {
        assertThat(List.of(Duration.ZERO, Duration.ofMillis(50), NEVER))
                .allSatisfy(slowest -> assertThat(tries(kept(Duration.ofMillis(ttlMillis)), slowest, limit -> false))
                        .hasSizeGreaterThanOrEqualTo(3));
    }

    @ParameterizedTest
    @ValueSource(longs = {300, 1_000, 2_000})
    void aServerThatIsKnownToBeSlowAnswersTheFirstTry(long replyMillis) {
        Duration reply = Duration.ofMillis(replyMillis);

        assertThat(tries(kept(10), reply, limit -> limit.compareTo(reply) > 0)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {300, 1_000, 2_500})
    void onAServerThatIsKnownToBeSlowATryFollowsFourStaleConnections(long replyMillis) {
        Duration reply = Duration.ofMillis(replyMillis);

        List<Duration> tries = tries(kept(10), reply, limit -> false);

        assertThat(tries.subList(STALE, tries.size()))
                .anySatisfy(limit -> assertThat(limit).isGreaterThan(reply));
    }

    @Test
    void noTryTakesLongerThanTheLeaseLasts() {
        Duration left = Duration.ofMillis(20);

        assertThat(kept(2).nextTry(left, Duration.ZERO)).isEqualTo(left);
        assertThat(kept(2).nextTry(left, NEVER)).isEqualTo(left);
    }

    private static RenewalTime kept(long ttlSeconds) {
        return kept(Duration.ofSeconds(ttlSeconds));
    }

    private static RenewalTime kept(Duration ttl) {
        return RenewalTime.ofKeepAlive(ttl.multipliedBy(2).dividedBy(3), ttl);
    }

    /**
     * Returns the limits of the tries until one is answered, or the lease has ended. Between two tries some time is lost.
     */
    private static List<Duration> tries(RenewalTime time, Duration slowest, Predicate<Duration> isAnswered) {
        List<Duration> tries = new ArrayList<>();
        Duration left = time.left();
        Duration lost = left.dividedBy(500);
        while (left.compareTo(lost.multipliedBy(10)) > 0
                && (tries.isEmpty() || !isAnswered.test(tries.get(tries.size() - 1)))) {
            Duration limit = time.nextTry(left, slowest);
            tries.add(limit);
            left = left.minus(limit).minus(lost);
        }
        return tries;
    }
}
