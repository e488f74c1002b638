package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.ManualTime;

class BackpressureTest {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final MongoCommandException refusal = refusal("{ok: 0, code: 462}");
    private final ManualTime time = new ManualTime();
    private final Backpressure pressure = new Backpressure(time, new SplittableRandom(7));

    @Test
    void nothingWaitsWhileTheServerIsWell() {
        for (int i = 0; i < 100; i++) {
            assertThat(pressure.await(false)).isZero();
            pressure.answered();
        }
    }

    @Test
    void refusalsOfCommandsUnderWayTogetherCountAsOne() {
        long sent = time.nanoTime();
        time.advance(Duration.ofMillis(1));
        for (int i = 0; i < 20; i++) {
            pressure.refused(refusal, sent);
        }

        time.advance(INTERVAL);

        assertThat(pressure.await(true)).isZero();
        assertThat(pressure.await(false)).isBetween(INTERVAL, INTERVAL.multipliedBy(2));
    }

    @Test
    void commandsGoOneAfterAnother() {
        refuse();

        List<Long> sent = refuseAll(Duration.ofSeconds(10), List.of(true, false, true));

        assertThat(sent).hasSizeBetween(15, 20);
        for (int i = 1; i < sent.size(); i++) {
            assertThat(sent.get(i) - sent.get(i - 1)).isGreaterThanOrEqualTo(INTERVAL.toNanos());
        }
    }

    /** Full jitter: from nothing to the longest wait. */
    @Test
    void waitsDoubleUpToTenSecondsAndAreSpread() {
        for (int refusals = 1; refusals < 30; refusals++) {
            long longest = Math.min(10_000, 100L << Math.min(refusals, 20));
            List<Long> waits = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                waits.add(pressure.backoff(refusal, refusals).toMillis());
            }

            assertThat(waits).allMatch(wait -> wait >= 0 && wait <= longest);
            assertThat(waits).anyMatch(wait -> wait < longest / 5).anyMatch(wait -> wait > longest * 4 / 5);
        }
    }

    @Test
    void theServerMayNameTheFirstWait() {
        MongoCommandException named = refusal("{ok: 0, code: 462, baseBackoffMS: 4000}");
        MongoCommandException odd = refusal("{ok: 0, code: 462, baseBackoffMS: -1}");

        assertThat(longest(named, 1)).isBetween(7_000L, 8_000L);
        assertThat(longest(named, 5)).isBetween(9_000L, 10_000L);
        assertThat(longest(odd, 1)).isLessThanOrEqualTo(200L);
    }

    /** A lock that is lost costs more than a command. */
    @Test
    void urgentCommandsGoFirstAndDoNotBackOff() {
        for (int i = 0; i < 10; i++) {
            refuse();
            time.advance(Duration.ofSeconds(10));
        }
        refuse();

        assertThat(pressure.await(true)).isEqualTo(INTERVAL);
        time.advance(INTERVAL);
        assertThat(pressure.await(false)).isPositive();
        assertThat(pressure.await(true)).isZero();
    }

    @Test
    void anUrgentCommandThatIsGivenUpBlocksNoOther() {
        refuse();
        assertThat(pressure.await(true)).isPositive();

        time.advance(Duration.ofSeconds(1));

        assertThat(pressure.await(false)).isZero();
    }

    @Test
    void severalRepliesInARowEndIt() {
        refuse();
        for (int i = 0; i < 4; i++) {
            time.advance(INTERVAL);
            assertThat(pressure.await(true)).isZero();
            pressure.answered();
            assertThat(pressure.await(true)).isPositive();
        }

        pressure.answered();

        assertThat(pressure.await(true)).isZero();
        assertThat(pressure.await(false)).isZero();
    }

    @Test
    void aRefusalBetweenRepliesBeginsTheCountAgain() {
        for (int i = 0; i < 4; i++) {
            refuse();
            for (int j = 0; j < 4; j++) {
                pressure.answered();
            }
        }

        assertThat(pressure.await(false)).isPositive();
    }

    /** Runs commands that are refused each, and returns when they were sent. */
    private List<Long> refuseAll(Duration length, List<Boolean> urgent) {
        List<Long> sent = new ArrayList<>();
        long end = time.nanoTime() + length.toNanos();
        while (time.nanoTime() < end) {
            Duration least = INTERVAL;
            for (boolean isUrgent : urgent) {
                Duration wait = pressure.await(isUrgent);
                if (wait.isZero()) {
                    sent.add(time.nanoTime());
                    pressure.refused(refusal, time.nanoTime());
                } else {
                    least = wait.compareTo(least) < 0 ? wait : least;
                }
            }
            time.advance(least);
        }
        return sent;
    }

    private void refuse() {
        pressure.refused(refusal, time.nanoTime());
    }

    private long longest(MongoCommandException cause, int refusals) {
        long longest = 0;
        for (int i = 0; i < 200; i++) {
            longest = Math.max(longest, pressure.backoff(cause, refusals).toMillis());
        }
        return longest;
    }

    private static MongoCommandException refusal(String reply) {
        return new MongoCommandException(BsonDocument.parse(reply), new ServerAddress());
    }
}
