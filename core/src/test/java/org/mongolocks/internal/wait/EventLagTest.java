package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

class EventLagTest extends WaitingScene {
    private static final Duration SOON = Duration.ofMillis(4);
    private static final LockName OWN = LockName.of("own");
    private static final long NEWER = HELD.revision() + 1;

    private int logicalTime;

    @Test
    void timelyEventsAreReliedOn() {
        openWith(waiter());

        releaseOwn(SOON);

        assertThat(questionsIn(Duration.ofSeconds(5))).isZero();
    }

    @Test
    void aLateEventHasWaitersPollBesideTheStream() {
        openWith(waiter());

        releaseOwn(Duration.ofSeconds(1));

        assertThat(questionsIn(EventLag.MAX_TIMELY)).isOne();
        assertThat(questionsIn(EventLag.MAX_TIMELY)).isOne();
        assertThat(feed.closed).isZero();
    }

    @Test
    void anEventThatDoesNotComeHasThemPollToo() {
        openWith(waiter());

        free(OWN);
        lab.time.advance(Duration.ofSeconds(1));
        feed.isQuiet();

        assertThat(waiters.get(0).wasWoken()).isTrue();
        waiters.get(0).looksAgain();
        assertThat(questionsIn(EventLag.MAX_TIMELY)).isOne();
    }

    @Test
    void pollingWaiterIsWokenByAReleaseOfItsOwnClient() {
        openWith(waiter());
        releaseOwn(Duration.ofSeconds(1));
        waiters.get(0).looksAgain();
        strategy.forget().grants(2);

        free(Lab.NAME);

        assertThat(waiters.get(0).wasWoken()).isTrue();
        assertThat(waiters.get(0).looksAgain().isAcquired()).isTrue();
    }

    @Test
    void timelyEventsInARowEndThePolling() {
        openWith(waiter());
        releaseOwn(Duration.ofSeconds(1));

        releaseOwn(SOON);
        releaseOwn(SOON);
        assertThat(lag.isLate()).isTrue();
        releaseOwn(SOON);

        assertThat(lag.isLate()).isFalse();
    }

    /** Otherwise a standby that releases nothing would poll for days. */
    @Test
    void aMinuteAfterASingleLateEventWaitersRelyOnEventsAgain() {
        openWith(waiter());
        releaseOwn(Duration.ofSeconds(1));

        lab.time.advance(Duration.ofMinutes(1));
        assertThat(lag.isLate()).isTrue();
        lab.time.advance(SOON);

        assertThat(lag.isLate()).isFalse();
    }

    @Test
    void eventsThatAreLateAgainAreNotTrustedForTwiceAsLong() {
        openWith(waiter());
        releaseOwn(Duration.ofSeconds(1));
        lab.time.advance(Duration.ofMinutes(1).plus(SOON));
        assertThat(lag.isLate()).isFalse();
        releaseOwn(Duration.ofSeconds(1));

        lab.time.advance(Duration.ofMinutes(2));
        assertThat(lag.isLate()).isTrue();
        lab.time.advance(SOON);
        assertThat(lag.isLate()).isFalse();
    }

    @Test
    void eventsOfARouterCountAsLateUntilTheyAreTimely() {
        lag.recordReply(Reply.Found.of(new BsonDocument("msg", new BsonString("isdbgrid"))), null);

        lab.time.advance(Duration.ofDays(1));

        assertThat(lag.isLate()).isTrue();
    }

    /** Otherwise clients whose events were late by overload poll until each has held the lock three times. */
    @Test
    void eventsSoonAfterPollsEndThePolling() {
        openWith(waiter());
        releaseOwn(Duration.ofSeconds(1));

        pollAndHear(SOON, NEWER);
        pollAndHear(EventLag.MAX_TIMELY, NEWER);
        assertThat(lag.isLate()).isTrue();
        pollAndHear(SOON, NEWER);

        assertThat(lag.isLate()).isFalse();
    }

    @Test
    void eventsLongAfterPollsMayBeLate() {
        openWith(waiter());
        releaseOwn(Duration.ofSeconds(1));

        for (int i = 0; i < 4; i++) {
            pollAndHear(EventLag.MAX_TIMELY.plusMillis(1), NEWER);
        }

        assertThat(lag.isLate()).isTrue();
    }

    @Test
    void eventOfAReleaseBeforeThePollMayBeLate() {
        openWith(waiter());
        releaseOwn(Duration.ofSeconds(1));

        for (int i = 0; i < 4; i++) {
            pollAndHear(SOON, HELD.revision());
        }

        assertThat(lag.isLate()).isTrue();
    }

    @Test
    void eventThatMayBeLateEndsTheRow() {
        openWith(waiter());
        releaseOwn(Duration.ofSeconds(1));

        pollAndHear(SOON, NEWER);
        pollAndHear(SOON, NEWER);
        pollAndHear(SOON, HELD.revision());
        pollAndHear(SOON, NEWER);

        assertThat(lag.isLate()).isTrue();
    }

    @Test
    void slowAttemptsLengthenThePolling() {
        lab.poll = Duration.ofSeconds(1);
        openWith(waiter());
        releaseOwn(Duration.ofSeconds(1));
        assertThat(waiters.get(0).delay()).isEqualTo(EventLag.MAX_TIMELY);

        strategy.forget().answers(context -> {
            lab.time.advance(Duration.ofSeconds(1));
            return Step.done(new LockOutcome.Contended(HELD));
        });
        assertThat(questionsIn(EventLag.MAX_TIMELY)).isOne();

        assertThat(waiters.get(0).delay()).isEqualTo(lab.poll);
    }

    @Test
    void anEventOfAnEarlierReleaseOfTheSameLockIsNotMistakenForItsOwn() {
        openWith(waiter());
        BsonTimestamp earlier = now();
        answer(new BsonDocument());

        free(OWN);
        feed.tells(OperationType.REPLACE, OWN.value(), earlier);
        lab.time.advance(Duration.ofSeconds(1));
        feed.isQuiet();

        assertThat(lag.isLate()).isTrue();
    }

    @Test
    void anEventMayComeBeforeTheAnswer() {
        openWith(waiter());
        Step<Boolean> release = queues.notifyingWaiters(OWN, new Step.Pause<>(SOON, () -> {
            feed.tells(OperationType.REPLACE, OWN.value(), now());
            return Step.done(true);
        }));

        lab.run(release);
        lab.time.advance(Duration.ofSeconds(1));
        feed.isQuiet();

        assertThat(lag.isLate()).isFalse();
    }

    @Test
    void aReleaseThatFreedNothingHasNoEvent() {
        openWith(waiter());

        lab.run(queues.notifyingWaiters(OWN, Step.done(false)));
        lab.time.advance(Duration.ofSeconds(1));
        feed.isQuiet();

        assertThat(lag.isLate()).isFalse();
    }

    @Test
    void releasesBeforeTheStreamAreNotAwaited() {
        openWith(waiter());
        free(OWN);

        feed.tellsThatItIsOpen();
        lab.time.advance(Duration.ofSeconds(1));
        feed.isQuiet();

        assertThat(lag.isLate()).isFalse();
    }

    @Test
    void behindARouterWaitersPollFromTheBeginning() {
        answer(new BsonDocument("msg", new BsonString("isdbgrid")));
        openWith(waiter());

        assertThat(questionsIn(EventLag.MAX_TIMELY)).isOne();
    }

    @Test
    void aRouterWithTimelyEventsIsReliedOn() {
        answer(new BsonDocument("msg", new BsonString("isdbgrid")));
        openWith(waiter());

        for (int i = 0; i < 3; i++) {
            releaseOwn(SOON);
        }

        assertThat(lag.isLate()).isFalse();
    }

    /** Releases a lock of this client, whose event arrives that much later. */
    private void releaseOwn(Duration later) {
        free(OWN);
        lab.time.advance(later);
        feed.tells(OperationType.REPLACE, OWN.value(), now());
        waiters.get(0).looksAgain();
    }

    /** Has the waiter poll, and delivers the event of a release that much later. */
    private void pollAndHear(Duration later, long revision) {
        waiters.get(0).looksAgain();
        assertThat(questionsIn(EventLag.MAX_TIMELY)).isOne();
        lab.time.advance(later);
        feed.tells(OperationType.REPLACE, Lab.NAME.value(), revision);
    }

    private void free(LockName name) {
        lab.run(queues.notifyingWaiters(name, Step.done(true)));
    }

    private void answer(BsonDocument document) {
        lag.recordReply(Reply.Found.of(document), now());
    }

    private BsonTimestamp now() {
        return new BsonTimestamp(++logicalTime, 1);
    }

    /** Lets time pass, runs the head, and counts its attempts. */
    private int questionsIn(Duration time) {
        int before = strategy.acquires.size();
        lab.time.advance(time);
        waiters.get(0).looksAgain();
        return strategy.acquires.size() - before;
    }
}
