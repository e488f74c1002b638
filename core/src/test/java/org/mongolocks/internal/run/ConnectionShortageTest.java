package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoTimeoutException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.Owner;
import org.mongolocks.internal.acquire.GrantAcquisitions;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.internal.wait.ScriptedFeed;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.internal.wait.WaitingScene;

class ConnectionShortageTest extends WaitingScene {
    private static final Duration AWAIT = Duration.ofSeconds(1);
    private static final Duration MOMENT = Duration.ofMillis(250);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration OPEN = Duration.ofSeconds(3);

    private final CompletableFuture<Void> reply = new CompletableFuture<>();

    @BeforeEach
    void open() {
        openWith(waiter());
    }

    @Test
    void commandsThatWaitWhileTheStreamDoesNotCloseIt() {
        shortage.commandBegan(lab.time, lab.time.nanoTime());
        lab.time.advance(AWAIT);
        feed.isQuiet();

        assertThat(feed.closed).isEqualTo(1);
        assertThat(waiters.get(0).wasWoken()).isTrue();
    }

    @Test
    void streamOfAnotherClientOnTheSameDriversClientIsClosedAfterTheStall() {
        OtherClient other = new OtherClient();
        starve();

        other.feed.isQuiet();

        assertThat(feed.closed).isEqualTo(1);
        assertThat(other.feed.closed).isEqualTo(1);
        assertThat(shortage.pauseLeft()).isEqualTo(PAUSE);
    }

    @Test
    void aSlowCommandBesideOthersThatAreAnsweredIsNoShortage() {
        shortage.commandBegan(lab.time, lab.time.nanoTime());
        for (int i = 0; i < 10; i++) {
            shortage.commandBegan(lab.time, lab.time.nanoTime());
            lab.time.advance(AWAIT.dividedBy(3));
            shortage.commandEnded(lab.time, lab.time.nanoTime());
            feed.isQuiet();
        }

        assertThat(feed.closed).isZero();
    }

    /** As behind a transaction that blocks the documents of a command: the pool has connections. */
    @Test
    @Tag("finds:stream-closed-by-a-blocked-command")
    void commandsThatWaitWhileAProbeIsAnsweredAreNoShortage() {
        shortage.commandBegan(lab.time, lab.time.nanoTime());
        for (int i = 0; i < 10; i++) {
            lab.time.advance(AWAIT);
            feed.probes.add(CompletableFuture.completedFuture(null));
            feed.isQuiet();
        }

        assertThat(feed.closed).isZero();
        assertThat(feed.probes).isEmpty();
        assertThat(shortage.isPausing()).isFalse();
    }

    @Test
    void probeHasAMomentToBeAnswered() {
        probeDuringAStall();
        feed.isQuiet();
        assertThat(feed.closed).isZero();

        lab.time.advance(MOMENT);
        reply.complete(null);
        feed.isQuiet();
        assertThat(feed.closed).isZero();
    }

    @Test
    void probeThatIsNotAnsweredShowsAShortage() {
        probeDuringAStall();

        lab.time.advance(MOMENT);
        feed.isQuiet();

        assertThat(feed.closed).isEqualTo(1);
        assertThat(shortage.pauseLeft()).isEqualTo(PAUSE);
    }

    @Test
    void probeThatFailsShowsAShortage() {
        probeDuringAStall();

        reply.completeExceptionally(new MongoTimeoutException("no connection, for a test"));
        feed.isQuiet();

        assertThat(feed.closed).isEqualTo(1);
    }

    @Test
    void oneProbeIsSentAtATime() {
        probeDuringAStall();
        feed.probes.add(new CompletableFuture<>());

        feed.isQuiet();
        shortage.commandEnded(lab.time, lab.time.nanoTime());
        shortage.commandBegan(lab.time, lab.time.nanoTime());
        lab.time.advance(MOMENT);
        feed.isQuiet();

        assertThat(feed.probes).hasSize(1);
    }

    /** So that a command with a short time limit is still waiting when the probe is judged. */
    @Test
    void probeIsSentBeforeTheStallIsLongEnough() {
        feed.probes.add(new CompletableFuture<>());
        shortage.commandBegan(lab.time, lab.time.nanoTime());
        lab.time.advance(Duration.ofMillis(100));
        feed.isQuiet();
        assertThat(feed.probes).isEmpty();

        lab.time.advance(Duration.ofMillis(400));
        feed.isQuiet();
        assertThat(feed.closed).isEqualTo(1);
    }

    private void probeDuringAStall() {
        feed.probes.add(reply);
        shortage.commandBegan(lab.time, lab.time.nanoTime());
        lab.time.advance(AWAIT);
        feed.isQuiet();
    }

    @Test
    void aClientThatSendsNothingHasNoShortage() {
        shortage.commandBegan(lab.time, lab.time.nanoTime());
        shortage.commandEnded(lab.time, lab.time.nanoTime());
        lab.time.advance(Duration.ofMinutes(1));
        feed.isQuiet();

        assertThat(feed.closed).isZero();
    }

    @Test
    void waitersPollForAMomentAndThenTryAStreamAgain() {
        starve();
        int asked = strategy.acquires.size();

        lab.time.advance(Lab.POLL);
        waiters.get(0).looksAgain();
        assertThat(strategy.acquires).hasSize(asked + 1);
        lab.time.advance(PAUSE.minus(Lab.POLL).minusMillis(1));
        waiter();
        assertThat(feed.opened()).isEqualTo(1);

        lab.time.advance(Duration.ofMillis(1));
        waiter();
        assertThat(feed.opened()).isEqualTo(2);
    }

    @Test
    void aSecondShortageSoonAfterLastsTwiceAsLong() {
        starve();
        lab.time.advance(PAUSE);
        openWith(waiter());
        starve();

        lab.time.advance(PAUSE.multipliedBy(2).minusMillis(1));
        waiter();
        assertThat(feed.opened()).isEqualTo(2);

        lab.time.advance(Duration.ofMillis(1));
        waiter();
        assertThat(feed.opened()).isEqualTo(3);
    }

    /** Few commands of a client that sends them seldom meet the stream. */
    @Test
    void shortageAfterFewCommandsIsASecondOne() {
        starve();
        lab.time.advance(Duration.ofHours(1));
        openWith(waiter());
        answerCommands(9);
        lab.time.advance(OPEN);

        starve();

        assertThat(shortage.pauseLeft()).isEqualTo(PAUSE.multipliedBy(2));
    }

    /** A pool that is too small would have been noticed: a process or server that stalls each minute has a stream meanwhile. */
    @Test
    void stallAfterCommandsBesideTheStreamIsTheFirstAgain() {
        starveAndOpenAgain(5);
        answerCommands(10);
        lab.time.advance(OPEN);

        starve();

        assertThat(shortage.pauseLeft()).isEqualTo(PAUSE);
    }

    /** They end while the stream waits for a connection behind them. */
    @Test
    void shortageSoonAfterTheStreamWasOpenedIsASecondOneHoweverManyCommandsEnded() {
        starve();
        lab.time.advance(PAUSE);
        openWith(waiter());
        answerCommands(1000);

        starve();

        assertThat(shortage.pauseLeft()).isEqualTo(PAUSE.multipliedBy(2));
    }

    @Test
    void shortageThatIsHoursOldIsForgotten() {
        starve();
        lab.time.advance(Duration.ofHours(2));
        openWith(waiter());

        starve();

        assertThat(shortage.pauseLeft()).isEqualTo(PAUSE);
    }

    @Test
    void commandsWithoutAStreamShowNothing() {
        starve();
        lab.time.advance(PAUSE);
        answerCommands(100);
        openWith(waiter());

        starve();

        assertThat(shortage.pauseLeft()).isEqualTo(PAUSE.multipliedBy(2));
    }

    @Test
    void allClientsOfOneDriversClientShareIt() {
        Object driversClient = new Object();

        assertThat(ConnectionShortage.of(driversClient))
                .isSameAs(ConnectionShortage.of(driversClient))
                .isNotSameAs(ConnectionShortage.of(new Object()));
    }

    /** Each time at the end of the pause. */
    private void starveAndOpenAgain(int times) {
        for (int i = 0; i < times; i++) {
            starve();
            lab.time.advance(shortage.pauseLeft());
            openWith(waiter());
        }
    }

    private void answerCommands(int count) {
        for (int i = 0; i < count; i++) {
            shortage.commandBegan(lab.time, lab.time.nanoTime());
            shortage.commandEnded(lab.time, lab.time.nanoTime());
        }
    }

    /** A waiter of another lock client, whose stream is open. */
    private final class OtherClient {
        final ScriptedFeed feed = new ScriptedFeed();

        OtherClient() {
            WaiterQueues other =
                    Lab.queues(lab.settings(strategy), new ClientRuns(lab.settings(strategy), shortage), feed);
            Owner owner = new Owner("other", new UUID(0, 1));
            GrantAcquisitions.of(lab.settings(strategy), Lab.request(PATIENT), owner, other)
                    .start();
            feed.tellsThatItIsOpen();
        }
    }

    private void starve() {
        shortage.commandBegan(lab.time, lab.time.nanoTime());
        lab.time.advance(AWAIT);
        feed.isQuiet();
        shortage.commandEnded(lab.time, lab.time.nanoTime());
        waiters.get(waiters.size() - 1).looksAgain();
    }
}
