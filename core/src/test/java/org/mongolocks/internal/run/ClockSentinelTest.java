package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.ClientSettings.ClockJump;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;

class ClockSentinelTest {
    private static final Duration MARGIN = Duration.ofMillis(50);
    private static final MongoOp HELLO = new MongoOp.Hello("hello", "hello");
    private static final Duration ROUND_TRIP = Duration.ofMillis(4);

    private final Lab lab = new Lab();
    private final List<ClockJump> jumps = new ArrayList<>();
    private Instant here = Instant.parse("2026-01-01T00:00:00Z");
    private Duration serverAhead = Duration.ofMillis(7);
    private final ClockSentinel sentinel = new ClockSentinel(() -> here, lab.time, MARGIN, jumps::add);

    @Test
    void aReplyBoundsTheOffsetByItsRoundTrip() {
        exchange(ROUND_TRIP);

        ClockSentinel.Offset offset = sentinel.offset().orElseThrow();
        assertThat(serverAhead.toNanos()).isBetween(offset.leastNanos(), offset.mostNanos());
        assertThat(offset.mostNanos() - offset.leastNanos())
                .isEqualTo(ROUND_TRIP.plusMillis(1).toNanos());
    }

    @Test
    void narrowBoundsStayAfterASlowReply() {
        exchange(ROUND_TRIP);
        ClockSentinel.Offset narrow = sentinel.offset().orElseThrow();

        exchange(Duration.ofSeconds(3));

        assertThat(sentinel.offset()).contains(narrow);
    }

    @Test
    void aJumpBeyondTheMarginIsReportedOnce() {
        exchange(ROUND_TRIP);

        serverAhead = serverAhead.plusMillis(100);
        exchange(ROUND_TRIP);
        exchange(ROUND_TRIP);

        assertThat(jumps).hasSize(1);
        assertThat(jumps.get(0).after().minus(jumps.get(0).before())).isEqualTo(Duration.ofMillis(100));
        assertThat(jumps.get(0).uncertainty()).isLessThan(ROUND_TRIP);
    }

    @Test
    void aJumpOfThisMachineIsReportedLikewise() {
        exchange(ROUND_TRIP);

        here = here.minusSeconds(5);
        serverAhead = serverAhead.plusSeconds(5);
        exchange(ROUND_TRIP);

        assertThat(jumps).hasSize(1);
    }

    @Test
    void aJumpWithinTheMarginIsNotReported() {
        exchange(ROUND_TRIP);

        serverAhead = serverAhead.plusMillis(50);
        exchange(ROUND_TRIP);

        assertThat(jumps).isEmpty();
    }

    @Test
    void aSlowReplyIsNoJump() {
        exchange(ROUND_TRIP);

        exchange(Duration.ofSeconds(20));
        exchange(ROUND_TRIP);

        assertThat(jumps).isEmpty();
    }

    @Test
    void aDriftIsNoJumpHoweverFarItLeads() {
        for (int minutes = 0; minutes < 1_000; minutes++) {
            exchange(ROUND_TRIP);
            serverAhead = serverAhead.plusMillis(30);
            pass(Duration.ofMinutes(1));
        }

        assertThat(jumps).isEmpty();
    }

    @Test
    void alternatingClocksAreReportedOnceAMinute() {
        for (int seconds = 0; seconds < 120; seconds++) {
            serverAhead = Duration.ofSeconds(seconds % 2);
            exchange(Duration.ZERO);
            pass(Duration.ofSeconds(1));
        }

        assertThat(jumps).hasSize(2);
    }

    /** A client that acquires and releases one lock again and again reads no other time. */
    @Test
    void grantThatStoresTheTimeCarriesIt() {
        MongoOp grant = new MongoOp.FindOneAndUpdate(
                "x",
                "locks",
                new BsonDocument(),
                UpdateSpec.operators(BsonDocument.parse("{$currentDate: {renewedAt: true}}")),
                false);

        sentinel.answered(grant, at(here, "renewedAt"), here, 0);
        sentinel.answered(HELLO, at(here.plusSeconds(7), "renewedAt"), here, 0);
        assertThat(jumps).isEmpty();

        sentinel.answered(grant, at(here.plusSeconds(7), "renewedAt"), here, 0);
        assertThat(jumps).hasSize(1);
    }

    @Test
    void replyWithoutServerTimeIsIgnored() {
        sentinel.answered(HELLO, new Reply.Acknowledged(), here, 0);
        sentinel.answered(HELLO, Reply.Found.none(), here, 0);
        sentinel.answered(HELLO, Reply.Found.of(new BsonDocument()), here, 0);

        assertThat(sentinel.offset()).isEmpty();
    }

    @Test
    void theListenerMayFail() {
        ClockSentinel failing = new ClockSentinel(() -> here, lab.time, MARGIN, jump -> {
            throw new IllegalStateException("the listener failed");
        });
        failing.answered(HELLO, at(here, "now"), here, 0);

        failing.answered(HELLO, at(here.plusSeconds(1), "now"), here, 0);

        assertThat(failing.offset().orElseThrow().leastNanos())
                .isEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void helloCarriesTheTimeToo() {
        sentinel.answered(HELLO, at(here, "localTime"), here, 0);

        assertThat(sentinel.offset()).isPresent();
    }

    /** The server replies in the middle of a round trip. */
    private void exchange(Duration roundTrip) {
        Instant sent = here;
        pass(roundTrip.dividedBy(2));
        Reply reply = at(here.plus(serverAhead), "now");
        pass(roundTrip.dividedBy(2));
        sentinel.answered(HELLO, reply, sent, roundTrip.toNanos());
    }

    private void pass(Duration duration) {
        here = here.plus(duration);
        lab.time.advance(duration);
    }

    private static Reply at(Instant server, String field) {
        return Reply.Found.of(new BsonDocument(field, new BsonDateTime(server.toEpochMilli())));
    }
}
