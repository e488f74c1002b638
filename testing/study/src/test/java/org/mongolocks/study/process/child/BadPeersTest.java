package org.mongolocks.study.process.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mongolocks.peers.PeerLocks;
import org.mongolocks.study.check.Checker.Claims;
import org.mongolocks.study.check.HolderCheck;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.History;
import org.mongolocks.study.process.child.TestedLocks.Request;
import org.mongolocks.study.technique.Library;

/** What the judge says of a lock in memory, which is bad on purpose; each client counts as a process. */
class BadPeersTest {
    private static final int LOCK = 1;
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Claims LEASED = new Claims(false, true, false);

    private final List<Event> events = new ArrayList<>();
    private int clients;
    private int holder;
    /** How far the time of the history is ahead. */
    private long skippedNanos;

    private boolean grantsAlways;
    private boolean releasesAnyone;
    private boolean tellsNothing;

    /** The client of a process. */
    private record Client(BadPeersTest server, int number) implements PeerLocks, PeerLocks.PeerLock {
        @Override
        public Optional<PeerLock> acquire(String lock, Duration waitAtMost) {
            if (server.holder != 0 && !server.grantsAlways) {
                return Optional.empty();
            }
            server.holder = number;
            return Optional.of(this);
        }

        @Override
        public boolean isHeld() {
            return server.tellsNothing || server.grantsAlways || server.holder == number;
        }

        @Override
        public boolean release() {
            boolean isOwn = server.holder == number;
            if (isOwn || server.releasesAnyone) {
                server.holder = 0;
            }
            return isOwn || server.tellsNothing;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private RecordedLocks client() throws InterruptedException {
        int number = ++clients;
        return new RecordedLocks(
                Library.named("shedlock"),
                () -> new PeerTestedLocks(new Client(this, number)),
                event -> events.add(of(number, event)));
    }

    private Event of(int process, Event event) {
        return new Event(
                events.size(),
                event.atNanos() + skippedNanos,
                process,
                event.op(),
                event.phase(),
                event.grant(),
                event.token(),
                event.commit(),
                event.is(Event.Op.ACQUIRE, Event.Phase.OK) ? event.fromNanos() + skippedNanos : 0,
                event.untilNanos() + skippedNanos,
                event.value(),
                event.note());
    }

    private static RecordedLocks.Held acquired(RecordedLocks client) throws InterruptedException {
        Request request = new Request("a", Duration.ZERO, true, false);
        return client.acquire(LOCK, () -> client.locks().acquire(request)).orElseThrow();
    }

    /** The lease of the holder ends. */
    private void expires() {
        skippedNanos += TTL.toNanos();
        holder = 0;
    }

    private List<Finding> findings() {
        History history = new History(TTL.toNanos(), events);
        return HolderCheck.check(history, LEASED, Duration.ZERO).violations().stream()
                .map(Violation::finding)
                .toList();
    }

    /** One is paused until its lease has ended and two has the lock, and releases it then; three asks for it. */
    private void late() throws InterruptedException {
        RecordedLocks.Held one = acquired(client());
        expires();
        RecordedLocks.Held two = acquired(client());
        one.mayContinue();
        one.release();
        if (holder == 0) {
            acquired(client()).release();
        }
        two.mayContinue();
        two.release();
    }

    @Test
    void aGoodLockIsSound() throws InterruptedException {
        late();

        assertThat(findings()).isEmpty();
        assertThat(events).anyMatch(event -> event.op() == Event.Op.LOST);
    }

    @Test
    void twoHoldersAreFound() throws InterruptedException {
        grantsAlways = true;
        RecordedLocks.Held one = acquired(client());
        RecordedLocks.Held two = acquired(client());
        one.mayContinue();
        two.mayContinue();

        assertThat(findings()).contains(Finding.HELD_TWICE, Finding.BELIEVED_TWICE);
    }

    @Test
    void aReleaseThatEndsAnothersLockIsFound() throws InterruptedException {
        releasesAnyone = true;
        late();

        assertThat(findings()).contains(Finding.FOREIGN_RELEASE).doesNotContain(Finding.LOSS_NOT_TOLD);
    }

    @Test
    void aReleaseThatEndsAnothersLockIsFoundIfOnlyThatOneNotices() throws InterruptedException {
        releasesAnyone = true;
        RecordedLocks.Held one = acquired(client());
        expires();
        RecordedLocks.Held two = acquired(client());
        one.release();
        two.mayContinue();
        two.release();

        assertThat(findings()).contains(Finding.FOREIGN_RELEASE);
    }

    @Test
    void aHolderThatIsNeverToldIsFound() throws InterruptedException {
        tellsNothing = true;
        late();

        assertThat(findings()).containsAll(Set.of(Finding.LOSS_NOT_TOLD, Finding.BELIEVED_TWICE));
    }
}
