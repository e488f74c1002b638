package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.ClientStatus.ChangeStream;
import org.mongolocks.ClientStatus.ChangeStream.State;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;

class ReleaseWatcherTest extends WaitingScene {
    @Test
    void theFirstWaiterOpensOneStreamAndTheOthersUseIt() {
        waiter();
        waiter();
        waiter();

        assertThat(feed.opened()).isEqualTo(1);
    }

    @Test
    void tryWithoutWaitingOpensNoStream() {
        new Waiter(Duration.ZERO);

        assertThat(feed.opened()).isZero();
    }

    @Test
    void releaseBeforeTheStreamOpensIsNotMissed() {
        Waiter waiter = waiter();
        strategy.forget().grants(2);

        feed.tellsThatItIsOpen();

        assertThat(waiter.wasWoken()).isTrue();
        assertThat(waiter.looksAgain().isAcquired()).isTrue();
    }

    /** Another program may write documents that are no locks: their ids need not be names of locks. */
    @Test
    void eventOfADocumentThatIsNoLockIsIgnored() {
        Waiter waiter = waiter();
        openWith(waiter);

        feed.tells(OperationType.DELETE, "");
        assertThat(waiter.wasWoken()).isFalse();

        feed.tells(OperationType.DELETE, Lab.NAME.value());
        assertThat(waiter.wasWoken()).isTrue();
    }

    /** Programs that share the collection may use ids of other types. */
    @Test
    @Tag("finds:other-deletion-reopens-the-stream")
    void deletedDocumentThatIsNoLockIsNotTheEndOfTheCollection() {
        openWith(waiter());

        feed.tellsOfADocumentThatIsNoLock();

        assertThat(collectionEnds).hasValue(0);
        assertThat(feed.closed).isZero();
        assertThat(waiters.get(0).wasWoken()).isFalse();
    }

    @Test
    void aWaiterThatCameWhileTheStreamWasOpenAsksOnceMore() {
        openWith(waiter());
        waiters.get(0).leaves();
        int asked = strategy.acquires.size();

        waiter();

        assertThat(strategy.acquires).hasSize(asked + 2);
    }

    /** The message is read for the log. */
    @Test
    void aLogThatBlocksDelaysNoWaiter() {
        openWith(waiter());
        List<Boolean> others = new CopyOnWriteArrayList<>();

        feed.fails(new LoggedException(() -> {
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> queues.ensureWatching());
            others.add(other.thenApply(done -> true)
                    .completeOnTimeout(false, 10, TimeUnit.SECONDS)
                    .join());
        }));

        assertThat(others).isNotEmpty().doesNotContain(false);
    }

    private static final class LoggedException extends MongoSocketReadException {
        private static final long serialVersionUID = 1L;

        private final transient Runnable logging;

        LoggedException(Runnable logging) {
            super("gone", new ServerAddress());
            this.logging = logging;
        }

        @Override
        public String getMessage() {
            logging.run();
            return "gone";
        }
    }

    @Test
    void aBrokenStreamIsOpenedAgainAndWaitersPollMeanwhile() {
        openWith(waiter());
        feed.fails(new MongoSocketReadException("gone", new ServerAddress()));
        assertThat(waiters.get(0).wasWoken()).isTrue();
        waiters.get(0).looksAgain();
        int asked = strategy.acquires.size();

        lab.time.advance(Lab.POLL);
        waiters.get(0).looksAgain();
        assertThat(strategy.acquires).hasSize(asked + 1);

        lab.time.advance(Duration.ofSeconds(1));
        waiters.get(0).looksAgain();
        assertThat(feed.opened()).isEqualTo(2);
    }

    /** A standalone may become a replica set, and a role may be granted later. */
    @ParameterizedTest
    @ValueSource(ints = {13, 40573})
    @Tag("finds:stream-refused-for-ever")
    void refusedStreamIsRequestedAgainLessAndLessOften(int code) {
        waiter();
        feed.fails(refusal(code));

        pollFor(Duration.ofSeconds(29));
        assertThat(feed.opened()).isEqualTo(1);
        assertThat(queues.changeStream().state()).isEqualTo(State.UNAVAILABLE);

        pollFor(Duration.ofSeconds(31));
        assertThat(feed.opened()).isEqualTo(2);
        for (int hour = 1; hour <= 3; hour++) {
            int before = feed.opened();
            pollFor(Duration.ofHours(1));
            assertThat(feed.opened() - before).as("in hour %d", hour).isBetween(5, 16);
        }

        lab.time.advance(Duration.ofMinutes(10));
        openWith(waiter());
        assertThat(queues.changeStream()).isEqualTo(new ChangeStream(State.OPEN, Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusalAfterAStreamThatWorkedHasTheFirstDelay(boolean isByEvent) {
        waiter();
        feed.fails(refusal(13));
        pollFor(Duration.ofHours(1));
        lab.time.advance(Duration.ofMinutes(10));
        queues.ensureWatching();
        feed.tellsThatItIsOpen();
        if (isByEvent) {
            feed.tells(OperationType.UPDATE, "another");
        } else {
            lab.time.advance(Duration.ofSeconds(2));
            feed.isQuiet();
        }
        int before = feed.opened();

        feed.fails(refusal(13));
        lab.time.advance(Duration.ofMinutes(1));
        queues.ensureWatching();

        assertThat(feed.opened()).isEqualTo(before + 1);
    }

    @Test
    void failureAfterRefusalsHasTheFirstDelay() {
        waiter();
        feed.fails(refusal(13));
        pollFor(Duration.ofHours(1));
        lab.time.advance(Duration.ofMinutes(10));
        queues.ensureWatching();
        int before = feed.opened();

        feed.fails(new MongoSocketReadException("gone", new ServerAddress()));
        lab.time.advance(Duration.ofMillis(250));
        queues.ensureWatching();

        assertThat(feed.opened()).isEqualTo(before + 1);
    }

    /** A new waiter each second, to which each request for a stream is refused. */
    private void pollFor(Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            int before = feed.opened();
            lab.time.advance(Duration.ofSeconds(1));
            queues.ensureWatching();
            if (feed.opened() > before) {
                feed.fails(refusal(13));
            }
        }
    }

    private static MongoCommandException refusal(int code) {
        BsonDocument reply = new BsonDocument("code", new BsonInt32(code)).append("errmsg", new BsonString("refused"));
        return new MongoCommandException(reply, new ServerAddress());
    }

    @Test
    void theStreamIsClosedALittleAfterTheLastWaiter() {
        openWith(waiter());
        waiters.get(0).leaves();

        feed.isQuiet();
        assertThat(feed.closed).isZero();

        lab.time.advance(Duration.ofSeconds(6));
        feed.isQuiet();
        assertThat(feed.closed).isEqualTo(1);
    }

    @Test
    void busyStreamIsClosedToo() {
        openWith(waiter());
        waiters.get(0).leaves();
        lab.time.advance(Duration.ofSeconds(6));

        feed.tells(OperationType.REPLACE, "another");

        assertThat(feed.closed).isEqualTo(1);
    }

    @Test
    void droppedCollectionWakesAllWaitersAndEndsTheStream() {
        openWith(waiter());
        feed.tellsOfTheCollection(OperationType.DROP);

        assertThat(waiters.get(0).wasWoken()).isTrue();
        assertThat(feed.closed).isEqualTo(1);
        waiters.get(0).looksAgain();
        assertThat(feed.opened()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = OperationType.class,
            names = {"DROP", "RENAME", "DROP_DATABASE", "INVALIDATE"})
    void endOfTheCollectionIsReported(OperationType end) {
        openWith(waiter());

        feed.tellsOfTheCollection(end);

        assertThat(collectionEnds).hasValue(1);
    }

    @Test
    void streamThatFailsAfterEachOpeningIsReopenedWithBackoff() {
        waiter();

        for (int tenths = 0; tenths < 600; tenths++) {
            int before = feed.opened();
            lab.time.advance(Duration.ofMillis(100));
            waiters.get(0).looksAgain();
            if (feed.opened() > before || tenths == 0) {
                feed.tellsThatItIsOpen();
                feed.fails(new MongoSocketReadException("gone", new ServerAddress()));
            }
        }

        assertThat(feed.opened()).as("in a minute").isBetween(3, 30);
    }

    /** The reactive driver reports an opening and quiet time although the server has not replied. */
    @Test
    void streamThatFailsAfterQuietTimeIsReopenedLessAndLessOften() {
        waiter();

        for (int seconds = 0; seconds < 120; seconds++) {
            int before = feed.opened();
            lab.time.advance(Duration.ofSeconds(1));
            waiters.get(0).looksAgain();
            if (feed.opened() > before || seconds == 0) {
                feed.tellsThatItIsOpen();
                lab.time.advance(Duration.ofSeconds(1));
                feed.isQuiet();
                feed.fails(new MongoSocketReadException("gone", new ServerAddress()));
            }
        }

        assertThat(feed.opened()).as("in two minutes and more").isBetween(3, 15);
    }

    @Test
    void stateFollowsTheStream() {
        assertThat(queues.changeStream()).isEqualTo(new ChangeStream(State.IDLE, Optional.empty()));

        waiter();
        assertThat(queues.changeStream()).isEqualTo(new ChangeStream(State.OPENING, Optional.empty()));

        openWith(waiters.get(0));
        assertThat(queues.changeStream()).isEqualTo(new ChangeStream(State.OPEN, Optional.empty()));

        feed.fails(new MongoSocketReadException("gone", new ServerAddress()));
        assertThat(queues.changeStream()).isEqualTo(new ChangeStream(State.FAILED, Optional.of("gone")));

        queues.close();
        assertThat(queues.changeStream()).isEqualTo(new ChangeStream(State.CLOSED, Optional.empty()));
    }

    @Test
    void stateSaysThatEventsAreLate() {
        openWith(waiter());
        lag.recordRouter();

        assertThat(queues.changeStream().state()).isEqualTo(State.LATE);
    }

    @Test
    void stateSaysWhyThereIsNoStream() {
        waiter();
        feed.fails(refusal(40573));
        assertThat(queues.changeStream().state()).isEqualTo(State.UNAVAILABLE);
        assertThat(queues.changeStream().reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("refused"));

        ChangeStream limited =
                Lab.queues(lab.settings(strategy), ChangeFeed.none()).changeStream();
        assertThat(limited.state()).isEqualTo(State.UNAVAILABLE);
        assertThat(limited.reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("timeoutMS"));
    }

    @Test
    void stateSaysThatConnectionsAreShort() {
        openWith(waiter());
        shortage.commandBegan(lab.time, lab.time.nanoTime());
        lab.time.advance(Duration.ofSeconds(1));
        feed.isQuiet();

        assertThat(queues.changeStream().state()).isEqualTo(State.PAUSED);
        assertThat(queues.changeStream().reason()).isPresent();
    }
}
