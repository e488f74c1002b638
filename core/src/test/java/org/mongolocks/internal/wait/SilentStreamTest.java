package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.internal.wait.WaiterQueues.Streams;

/** Tests change streams whose server hangs, or is gone without a word: nothing ever ends the read of their events. */
class SilentStreamTest extends WaitingScene {
    /** The commands of this client have a second each, and a stream waits for half a second. */
    private static final Duration CHECK = Duration.ofMillis(500);

    private static final int TOLERATED = 3;

    private void pass(int times) {
        for (int i = 0; i < times; i++) {
            checks.advance(CHECK);
        }
    }

    /** Has a waiter see a lock that has been free for long, of which there was no event. */
    private void missAnEvent() {
        lag.seenWithoutEvent(Duration.ofSeconds(1));
    }

    @Test
    void streamThatIsNeitherQuietNorHasEventsIsReplaced() {
        feed.reportsQuiet = true;
        openWith(waiter());

        pass(TOLERATED + 1);
        assertThat(feed.closed).isZero();
        pass(1);

        assertThat(feed.closed).isOne();
        assertThat(waiters.get(0).wasWoken()).isTrue();
        checks.advance(Duration.ofSeconds(1));
        waiters.get(0).looksAgain();
        assertThat(feed.opened()).isEqualTo(2);
    }

    @Test
    void streamThatIsHeardOfIsKept() {
        feed.reportsQuiet = true;
        openWith(waiter());

        for (int i = 0; i < 5; i++) {
            pass(TOLERATED);
            feed.isQuiet();
            waiters.get(0).looksAgain();
        }
        for (int i = 0; i < 5; i++) {
            pass(TOLERATED);
            feed.tells(OperationType.UPDATE, "other");
            waiters.get(0).looksAgain();
        }

        assertThat(feed.closed).isZero();
    }

    /** While this process is paused, its server cannot be heard. */
    @Test
    void aPauseOfTheProcessIsNoSilenceOfTheServer() {
        feed.reportsQuiet = true;
        openWith(waiter());

        checks.pause(Duration.ofMinutes(1));
        pass(1);

        assertThat(feed.closed).isZero();
    }

    @Test
    void streamThatDoesNotOpenIsReplaced() {
        feed.reportsQuiet = true;
        waiter();

        pass(TOLERATED + 2);

        assertThat(feed.closed).isOne();
    }

    @Test
    void streamOfADriverThatReportsNoQuietMayBeSilent() {
        openWith(waiter());

        for (int i = 0; i < 20; i++) {
            pass(TOLERATED);
            waiters.get(0).looksAgain();
        }

        assertThat(feed.closed).isZero();
    }

    /** The check comes before the next event of any kind. */
    @Test
    void eventThatDoesNotComeHasWaitersPollSoon() {
        openWith(waiter());

        missAnEvent();
        pass(1);

        assertThat(waiters.get(0).wasWoken()).isTrue();
        assertThat(lag.isLate()).isTrue();
    }

    @Test
    void streamWithoutTheEventsOfReleasesIsReplaced() {
        openWith(waiter());

        missAnEvent();
        pass(30);
        assertThat(feed.closed).isZero();
        waiters.get(0).looksAgain();
        pass(2);

        assertThat(feed.closed).isOne();
        assertThat(queues.changeStream().reason()).contains("A release had no event, and none has come since");
    }

    @Test
    void clientThatOnlyPollsHasNoStreamToCheck() {
        ClientSettings settings = lab.settings(strategy);
        WaiterQueues polling = new WaiterQueues(
                settings, new ClientRuns(settings, shortage), new Streams(ChangeFeed.none(), checks, () -> {}));

        polling.ensureWatching();

        assertThat(checks.size()).isZero();
    }

    @Test
    void closedStreamIsNotChecked() {
        feed.reportsQuiet = true;
        openWith(waiter());

        queues.close();
        pass(TOLERATED + 2);

        assertThat(feed.closed).isOne();
        assertThat(checks.size()).isZero();
    }

    /** As when no thread can be started for it. */
    @Test
    void nextStreamIsOpenedAlsoIfTheOneBeforeCannotBeClosed() {
        openWith(waiter());
        feed.failsToClose = true;

        assertThatThrownBy(() -> feed.fails(new MongoException("gone"))).hasMessage("cannot be closed");
        checks.advance(Duration.ofSeconds(1));
        waiters.get(0).looksAgain();

        assertThat(feed.opened()).isEqualTo(2);
    }
}
