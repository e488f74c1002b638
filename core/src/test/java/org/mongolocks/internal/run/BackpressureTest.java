package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.time.ManualTime;

class BackpressureTest {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final MongoCommandException refusal = refusal("{ok: 0, code: 462}");
    private final ManualTime time = new ManualTime();
    private final RandomGenerator random = new SplittableRandom(7);
    private final Backpressure pressure = new Backpressure(time, random);

    @Test
    void nothingWaitsWhileTheServerIsWell() {
        for (int i = 0; i < 100; i++) {
            assertThat(pressure.isCalm()).isTrue();
            assertThat(pressure.turn(true)).isZero();
            pressure.answered(time.nanoTime());
        }
        assertThat(pressure.calm()).isCompleted();
    }

    @Test
    void turnsAreASecondApart() {
        refuse();
        Duration first = pressure.turn(true);

        assertThat(first).isLessThanOrEqualTo(LONGEST);
        for (int i = 1; i < 10; i++) {
            assertThat(pressure.turn(true)).isEqualTo(first.plus(INTERVAL.multipliedBy(i)));
        }
    }

    /** A lock that is lost costs more than a command. */
    @Test
    void theTurnsOfRenewalsDoNotBackOffAndDoNotWaitForThoseOfOthers() {
        for (int i = 0; i < 8; i++) {
            refuse();
            time.advance(LONGEST);
        }
        refuse();
        for (int i = 0; i < 100; i++) {
            pressure.turn(true);
        }

        assertThat(pressure.turn(false)).isZero();
        assertThat(pressure.turn(false)).isEqualTo(INTERVAL);
        assertThat(pressure.turn(false)).isEqualTo(INTERVAL.multipliedBy(2));
    }

    @Test
    void refusalsOfCommandsUnderWayTogetherCountAsOne() {
        long sent = time.nanoTime();
        time.advance(Duration.ofMillis(1));
        for (int i = 0; i < 20; i++) {
            pressure.refused(refusal, sent);
        }

        assertThat(pressure.turn(true)).isLessThanOrEqualTo(Duration.ofMillis(200));
    }

    /** Full jitter: from nothing to the longest wait. */
    @Test
    void waitsDoubleUpToTenSecondsAndAreSpread() {
        for (int refusals = 1; refusals < 30; refusals++) {
            long longest = Math.min(10_000, 100L << Math.min(refusals, 20));
            List<Long> waits = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                waits.add(Backpressure.backoff(refusal, refusals, random).toMillis());
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

    @Test
    void severalRepliesInARowEndIt() {
        refuse();
        CompletableFuture<Void> calm = pressure.calm();
        time.advance(INTERVAL);

        for (int i = 0; i < 4; i++) {
            pressure.answered(time.nanoTime());
            assertThat(pressure.isCalm()).isFalse();
        }
        assertThat(calm).isNotDone();
        pressure.answered(time.nanoTime());

        assertThat(pressure.isCalm()).isTrue();
        assertThat(calm).isCompleted();
        assertThat(pressure.turn(true)).isZero();
    }

    @Test
    void aRefusalBetweenRepliesBeginsTheCountAgain() {
        for (int i = 0; i < 4; i++) {
            refuse();
            for (int j = 0; j < 4; j++) {
                pressure.answered(time.nanoTime());
            }
        }

        assertThat(pressure.isCalm()).isFalse();
    }

    /** They were admitted before the server was overloaded. */
    @Test
    void repliesToEarlierCommandsDoNotEndIt() {
        long earlier = time.nanoTime();
        time.advance(INTERVAL);
        refuse();

        for (int i = 0; i < 20; i++) {
            pressure.answered(earlier);
        }

        assertThat(pressure.isCalm()).isFalse();
    }

    @Test
    void itIsForgottenWhenNothingIsSent() {
        for (int i = 0; i < 8; i++) {
            refuse();
        }
        CompletableFuture<Void> calm = pressure.calm();
        time.advance(Duration.ofSeconds(21));

        assertThat(pressure.turn(true)).isZero();
        assertThat(pressure.isCalm()).isTrue();
        assertThat(calm).isCompleted();
        refuse();
        assertThat(pressure.turn(true)).isLessThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void aClosedClientDelaysNothing() {
        refuse();
        CompletableFuture<Void> calm = pressure.calm();

        pressure.stop();
        refuse();

        assertThat(calm).isCompleted();
        assertThat(pressure.isCalm()).isTrue();
        assertThat(pressure.turn(true)).isZero();
    }

    private void refuse() {
        pressure.refused(refusal, time.nanoTime());
    }

    private long longest(MongoCommandException cause, int refusals) {
        long longest = 0;
        for (int i = 0; i < 200; i++) {
            longest = Math.max(
                    longest, Backpressure.backoff(cause, refusals, random).toMillis());
        }
        return longest;
    }

    private static MongoCommandException refusal(String reply) {
        return new MongoCommandException(BsonDocument.parse(reply), new ServerAddress());
    }
}
