package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.internal.acquire.Acquisition;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/** The events of locks that no waiter of the client awaits. */
class FilteredStreamTest extends WaitingScene {
    private static final LockName OTHER = LockName.of("b");

    @Test
    void eventsOfOtherLocksAreFilteredOutSoon() {
        openWith(waiter());

        otherLocksAreReleased(100);

        assertThat(feed.opened()).isEqualTo(2);
        assertThat(feed.closed).isEqualTo(1);
        assertThat(feed.newestFilter()).contains("{\"$in\": [\"a\"]}");
    }

    @Test
    void fewEventsOfOtherLocksChangeNothing() {
        openWith(waiter());

        otherLocksAreReleased(20);

        assertThat(feed.opened()).isEqualTo(1);
        assertThat(feed.newestFilter()).doesNotContain("$in\": [\"a");
    }

    @Test
    void eventsOfAwaitedLocksAreNotCounted() {
        openWith(waiter());

        for (int event = 0; event < 100; event++) {
            feed.tells(OperationType.REPLACE, "a");
        }

        assertThat(feed.opened()).isEqualTo(1);
    }

    @Test
    void releaseBeforeTheFilteredStreamIsOpenIsNotMissed() {
        openWith(waiter());
        otherLocksAreReleased(100);
        assertThat(waiters.get(0).wasWoken()).isFalse();
        strategy.forget().grants(2);

        feed.tellsThatItIsOpen();

        assertThat(waiters.get(0).wasWoken()).isTrue();
        assertThat(waiters.get(0).looksAgain().isAcquired()).isTrue();
    }

    @Test
    void lockThatIsAwaitedLaterGetsItsEvents() {
        filteredFor(waiter());

        Step<LockOutcome> step = acquisition(OTHER).start();

        assertThat(feed.opened()).isEqualTo(3);
        assertThat(feed.newestFilter()).doesNotContain("\"a\"");
        feed.tellsThatItIsOpen();
        assertThat(((Step.Pause<LockOutcome>) step).wakeUp().orElseThrow()).isDone();
        assertThat(waiters.get(0).wasWoken()).isTrue();
    }

    /** Until its stream is open, such a waiter must not rely on events. */
    @Test
    void lockOutsideTheFilterIsPolledUntilItsStreamIsOpen() {
        filteredFor(waiter());

        Step<LockOutcome> step = acquisition(OTHER).start();

        assertThat(((Step.Pause<LockOutcome>) step).delay()).isLessThanOrEqualTo(Lab.POLL);
    }

    @Test
    void anotherWaiterOfTheSameLockUsesTheFilteredStream() {
        filteredFor(waiter());

        waiter();

        assertThat(feed.opened()).isEqualTo(2);
    }

    @Test
    void allEventsAreDeliveredAgainIfTheServerRefusesTheFilter() {
        openWith(waiter());
        otherLocksAreReleased(100);

        feed.fails(new MongoCommandException(
                new BsonDocument("code", new BsonInt32(40573)).append("errmsg", new BsonString("no")),
                new ServerAddress()));
        lab.time.advance(Duration.ofSeconds(1));
        waiters.get(0).looksAgain();
        feed.tellsThatItIsOpen();
        otherLocksAreReleased(200);

        assertThat(feed.opened()).isEqualTo(3);
        assertThat(feed.newestFilter()).doesNotContain("\"a\"");
    }

    /** The event of such a release does not come: that is not a late event. */
    @Test
    void ownReleaseOfALockOutsideTheFilterIsNoLateEvent() {
        filteredFor(waiter());

        lab.run(queues.notifyingWaiters(LockName.of("mine"), Step.done(true)));
        lab.time.advance(Duration.ofSeconds(1));
        feed.isQuiet();

        assertThat(waiters.get(0).wasWoken()).isFalse();
    }

    @Test
    void streamOfManyAwaitedLocksIsNotFiltered() {
        waiter();
        for (int number = 0; number < 200; number++) {
            acquisition(LockName.of("many-" + number)).start();
        }
        feed.tellsThatItIsOpen();

        otherLocksAreReleased(1_000);

        assertThat(feed.opened()).isEqualTo(1);
    }

    /** Answers that another owner holds the lock that is requested, whichever it is. */
    @BeforeEach
    void allLocksAreHeld() {
        strategy.forget()
                .answers(context -> Step.done(new LockOutcome.Contended(new LockSnapshot(
                        context.name(),
                        Optional.of("other"),
                        1,
                        1,
                        Optional.empty(),
                        Optional.empty(),
                        Lab.TTL,
                        Optional.of(LEASE_LEFT)))));
    }

    private void filteredFor(Waiter waiter) {
        openWith(waiter);
        otherLocksAreReleased(100);
        openWith(waiter);
    }

    private void otherLocksAreReleased(int count) {
        ReleaseEvents.ChangeFeed.Listener stream = feed.newest();
        for (int number = 0; number < count; number++) {
            stream.changed(new BsonDocument("operationType", new BsonString(OperationType.REPLACE.getValue()))
                    .append("documentKey", new BsonDocument("_id", new BsonString("other-" + number))));
        }
    }

    private Acquisition acquisition(LockName name) {
        LockRequest request = new LockRequest(name, Lab.TTL, PATIENT);
        return new Acquisition(lab.settings(strategy), request, new Owner("lab", UUID.randomUUID()), queues);
    }
}
