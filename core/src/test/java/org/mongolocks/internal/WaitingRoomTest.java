package org.mongolocks.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.Step;

class WaitingRoomTest {
    private static final Duration PATIENT = Duration.ofMinutes(1);
    private static final Duration LEASE_LEFT = Duration.ofSeconds(8);
    private static final LockSnapshot HELD = Lab.heldBy("other", 1, Optional.of(LEASE_LEFT));

    private final Lab lab = new Lab();
    private final ScriptedFeed feed = new ScriptedFeed();
    private final FakeStrategy strategy = new FakeStrategy().contends(HELD).releases(Step.done(true));
    private final WaitingRoom room = new WaitingRoom(lab.settings(strategy), feed);
    private final List<Waiter> waiters = new ArrayList<>();

    @Test
    void theFirstWaiterOpensOneStreamAndTheOthersUseIt() {
        waiter();
        waiter();
        waiter();

        assertThat(feed.opened()).isEqualTo(1);
    }

    @Test
    void whoDoesNotWaitOpensNoStream() {
        new Waiter(Duration.ZERO);

        assertThat(feed.opened()).isZero();
    }

    @Test
    void onlyTheFirstInLineAsks() {
        waiter();
        waiter();
        waiter();
        assertThat(strategy.acquires).hasSize(1);

        lab.time.advance(Lab.POLL);
        waiters.forEach(Waiter::looksAgain);

        assertThat(strategy.acquires).hasSize(2);
    }

    @Test
    void whatHappenedBeforeTheStreamWasOpenIsAskedFor() {
        Waiter waiter = waiter();
        strategy.forget().grants(2);

        feed.tellsThatItIsOpen();

        assertThat(waiter.wasWoken()).isTrue();
        assertThat(waiter.looksAgain().isAcquired()).isTrue();
    }

    @Test
    void aWaiterThatCameWhileTheStreamWasOpenAsksOnceMore() {
        openWith(waiter());
        waiters.get(0).leaves();
        int asked = strategy.acquires.size();

        waiter();

        assertThat(strategy.acquires).hasSize(asked + 2);
    }

    @Test
    void aReleaseWakesOnlyTheFirst() {
        openWith(waiter(), waiter());
        int asked = strategy.acquires.size();
        strategy.forget().grants(2);

        feed.tells(OperationType.REPLACE, Lab.NAME.value());

        assertThat(waiters.get(0).wasWoken()).isTrue();
        assertThat(waiters.get(1).wasWoken()).isFalse();
        assertThat(waiters.get(0).looksAgain().isAcquired()).isTrue();
        assertThat(strategy.acquires).hasSize(asked + 1);
    }

    @Test
    void aReleaseOfAnotherLockWakesNobody() {
        openWith(waiter());

        feed.tells(OperationType.DELETE, "another");

        assertThat(waiters.get(0).wasWoken()).isFalse();
    }

    @Test
    void whileChangesAreToldTheFirstAsksOnlyWhenTheLeaseEnds() {
        openWith(waiter());
        int asked = strategy.acquires.size();

        lab.time.advance(LEASE_LEFT.minusMillis(1));
        waiters.get(0).looksAgain();
        assertThat(strategy.acquires).hasSize(asked);

        lab.time.advance(Duration.ofMillis(1));
        waiters.get(0).looksAgain();
        assertThat(strategy.acquires).hasSize(asked + 1);
    }

    @Test
    void whoGotTheLockPassesThePlaceOnWithoutAQuestion() {
        openWith(waiter(), waiter());
        strategy.forget().grants(2);
        feed.tells(OperationType.UPDATE, Lab.NAME.value());
        waiters.get(0).looksAgain();
        int asked = strategy.acquires.size();

        assertThat(waiters.get(1).wasWoken()).isTrue();
        waiters.get(1).looksAgain();

        assertThat(strategy.acquires).hasSize(asked);
    }

    @Test
    void whoLeavesWithAWakeUpPassesItOn() {
        openWith(waiter(), waiter());
        strategy.forget().grants(2);
        feed.tells(OperationType.UPDATE, Lab.NAME.value());

        waiters.get(0).leaves();

        assertThat(waiters.get(1).wasWoken()).isTrue();
        assertThat(waiters.get(1).looksAgain().isAcquired()).isTrue();
    }

    @Test
    void aWakeUpDuringAQuestionIsNotLost() {
        openWith(waiter());
        strategy.forget()
                .answers(context -> {
                    feed.tells(OperationType.UPDATE, Lab.NAME.value());
                    return Step.done(new LockOutcome.Contended(HELD));
                })
                .grants(2);

        feed.tells(OperationType.UPDATE, Lab.NAME.value());

        assertThat(waiters.get(0).looksAgain().isAcquired()).isTrue();
    }

    @Test
    void theOthersGoOnWhenTheFirstGivesUp() {
        Waiter brief = new Waiter(Duration.ofMillis(50));
        waiter();
        lab.time.advance(Duration.ofMillis(50));
        brief.looksAgain();
        int asked = strategy.acquires.size();

        assertThat(brief.isContended()).isTrue();
        brief.leaves();
        lab.time.advance(Lab.POLL);
        waiters.get(0).looksAgain();

        assertThat(strategy.acquires).hasSize(asked + 1);
    }

    @Test
    void whoNeverBecameFirstIsToldWhoHasTheLock() {
        waiter();
        Waiter brief = new Waiter(Duration.ofMillis(50));

        lab.time.advance(Duration.ofMillis(50));

        assertThat(brief.looksAgain().outcome()).isEqualTo(new LockOutcome.Contended(HELD));
        assertThat(strategy.acquires).hasSize(1);
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

    @Test
    void aServerWithoutChangeStreamsIsAskedForOneOnce() {
        waiter();
        feed.fails(new MongoCommandException(
                new BsonDocument("code", new BsonInt32(40573)).append("errmsg", new BsonString("replica sets only")),
                new ServerAddress()));

        for (int i = 0; i < 10; i++) {
            lab.time.advance(Duration.ofMinutes(1).dividedBy(20));
            waiters.get(0).looksAgain();
        }

        assertThat(feed.opened()).isEqualTo(1);
    }

    @Test
    void aLockThatThisClientFreesWakesTheFirstWhileNothingIsTold() {
        Waiter waiter = waiter();
        strategy.forget().grants(2);

        lab.run(room.freeing(Lab.NAME, Step.done(true)));

        assertThat(waiter.wasWoken()).isTrue();
        assertThat(waiter.looksAgain().isAcquired()).isTrue();
    }

    @Test
    void theStreamIsLetGoALittleAfterTheLastWaiter() {
        openWith(waiter());
        waiters.get(0).leaves();

        feed.isQuiet();
        assertThat(feed.closed).isZero();

        lab.time.advance(Duration.ofSeconds(6));
        feed.isQuiet();
        assertThat(feed.closed).isEqualTo(1);
    }

    @Test
    void theStreamStaysWhileSomebodyWaits() {
        openWith(waiter());

        lab.time.advance(Duration.ofSeconds(30));
        feed.isQuiet();

        assertThat(feed.closed).isZero();
    }

    @Test
    void aDroppedCollectionWakesEverybodyAndEndsTheStream() {
        openWith(waiter());
        feed.tellsOfTheCollection(OperationType.DROP);

        assertThat(waiters.get(0).wasWoken()).isTrue();
        assertThat(feed.closed).isEqualTo(1);
        waiters.get(0).looksAgain();
        assertThat(feed.opened()).isEqualTo(2);
    }

    @Test
    void aClosedRoomOpensNothingMore() {
        openWith(waiter());

        room.close();
        lab.time.advance(Duration.ofSeconds(20));
        waiters.get(0).looksAgain();

        assertThat(feed.closed).isEqualTo(1);
        assertThat(feed.opened()).isEqualTo(1);
    }

    private void openWith(Waiter... waiting) {
        feed.tellsThatItIsOpen();
        for (Waiter waiter : waiting) {
            waiter.looksAgain();
        }
    }

    private Waiter waiter() {
        Waiter waiter = new Waiter(PATIENT);
        waiters.add(waiter);
        return waiter;
    }

    /** Is one acquisition that pauses when it has to wait, until the test has it look again. */
    private final class Waiter {
        private final Acquisition acquisition;
        private Step<LockOutcome> step;

        Waiter(Duration wait) {
            LockRequest request = Lab.request(wait);
            Owner owner = new Owner("lab", new UUID(0, waiters.size() + 2));
            acquisition = new Acquisition(lab.settings(strategy), request, owner, room);
            step = acquisition.start();
        }

        Waiter looksAgain() {
            if (step instanceof Step.Pause<LockOutcome> pause) {
                step = pause.then().get();
            }
            return this;
        }

        boolean wasWoken() {
            return step instanceof Step.Pause<LockOutcome> pause
                    && pause.wakeUp().orElseThrow().isDone();
        }

        void leaves() {
            acquisition.end();
        }

        LockOutcome outcome() {
            return ((Step.Done<LockOutcome>) step).result();
        }

        boolean isAcquired() {
            return outcome() instanceof LockOutcome.Acquired;
        }

        boolean isContended() {
            return outcome() instanceof LockOutcome.Contended;
        }
    }
}
