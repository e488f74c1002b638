package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.message.ChildMessage.GrantToken;
import org.mongolocks.study.sim.server.ProtectedResources.Values;
import org.mongolocks.study.technique.RealTechniques;

/** Tests of a history that is merged from several processes, and that is checked and cut again and again. */
class LockHistoryTest {
    private static final long TTL = RealTechniques.TTL.toNanos();

    private final LockHistory lock = new LockHistory(7, RealTechniques.named("insert-unique"));

    private boolean record(int child, Op op, Phase phase, int grant, long token) {
        return record(child, op, phase, grant, token, System.nanoTime());
    }

    private boolean record(int child, Op op, Phase phase, int grant, long token, long at) {
        return lock.record(child, new Event(0, at, 0, op, phase, grant, token, 0, at, at + TTL, 0, "", 7));
    }

    private void granted(int child, int grant, long token) {
        record(child, Op.ACQUIRE, Phase.INVOKE, grant, 0);
        record(child, Op.ACQUIRE, Phase.OK, grant, token);
    }

    private void released(int child, int grant, long token) {
        record(child, Op.RELEASE, Phase.INVOKE, grant, 0);
        record(child, Op.RELEASE, Phase.OK, grant, token);
    }

    private void used(int child, int grant, long token) {
        granted(child, grant, token);
        released(child, grant, token);
    }

    private Values read(int child, int grant, long token) {
        return lock.read(child, new GrantToken(grant, token, 7));
    }

    private List<Finding> cut() {
        return lock.cut().stream().map(one -> one.violation().finding()).toList();
    }

    @Test
    void grantsOfSeveralChildrenHaveNumbersOfTheirOwn() {
        used(1, 1, 5);
        granted(2, 1, 6);

        assertThat(lock.history().events())
                .extracting(Event::process, Event::grant)
                .containsExactly(tuple(1, 1), tuple(1, 1), tuple(1, 1), tuple(1, 1), tuple(2, 2), tuple(2, 2));
    }

    @Test
    void eventsAreInTheOrderOfTimeAndNumbered() {
        long now = System.nanoTime();
        record(1, Op.ACQUIRE, Phase.INVOKE, 1, 0, now);
        record(1, Op.ACQUIRE, Phase.OK, 1, 5, now + 20);
        record(2, Op.PAUSE, Phase.INVOKE, 0, 0, now + 10);
        record(2, Op.PAUSE, Phase.OK, 0, 0, now + 20);

        List<Event> events = lock.history().events();

        assertThat(events).extracting(Event::op).containsExactly(Op.ACQUIRE, Op.PAUSE, Op.ACQUIRE, Op.PAUSE);
        assertThat(events).extracting(Event::seq).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void aLeaseIsOfTheSameTimeAsItsEvent() {
        granted(1, 1, 5);

        Event granted = lock.history().events().get(1);

        assertThat(granted.fromNanos()).isEqualTo(granted.atNanos());
        assertThat(granted.untilNanos()).isEqualTo(granted.atNanos() + TTL);
    }

    @Test
    void aWriteIsStaleOnceAHolderWithALargerTokenHasRead() {
        granted(1, 1, 5);
        Values values = read(1, 1, 5);
        record(1, Op.RELEASE, Phase.INVOKE, 1, 0);
        granted(2, 1, 6);
        read(2, 1, 6);
        lock.write(1, new GrantToken(1, 5, 7), values);

        assertThat(cut()).containsExactly(Finding.STALE_UNFENCED, Finding.STALE_FENCED);
    }

    @Test
    void staleWritesAreNotMarkedWithoutTokens() {
        LockHistory tokenless = new LockHistory(1, RealTechniques.named("textbook-counter-expiry"));

        tokenless.read(1, new GrantToken(1, 1, 1));

        assertThat(tokenless.history().events()).allMatch(event -> event.commit() == 0);
    }

    @Test
    void aLostUpdateIsFoundInTheOrderInWhichWritesArrive() {
        granted(1, 1, 5);
        Values values = read(1, 1, 5);
        lock.write(1, new GrantToken(1, 5, 7), values);
        lock.write(1, new GrantToken(1, 5, 7), values);

        assertThat(cut()).containsExactly(Finding.UPDATE_LOST);
    }

    @Test
    void eachPartIsCheckedOnItsOwn() {
        used(1, 1, 5);
        assertThat(cut()).isEmpty();

        used(2, 1, 6);
        assertThat(cut()).isEmpty();
    }

    @Test
    void twoHoldersAreFoundOnce() {
        granted(1, 1, 5);
        granted(2, 1, 6);
        released(1, 1, 5);
        released(2, 1, 6);

        assertThat(cut()).contains(Finding.HELD_TWICE, Finding.BELIEVED_TWICE);
        assertThat(cut()).isEmpty();
    }

    @Test
    void aTokenThatGoesBackIsFoundManyPartsLater() {
        used(1, 1, 9);
        cut();
        cut();
        used(1, 2, 8);

        assertThat(cut()).contains(Finding.TOKEN_WENT_BACK);
    }

    @Test
    void reuseOfTheLargestTokenIsFoundInALaterPart() {
        used(1, 1, 9);
        cut();
        used(2, 1, 9);

        assertThat(cut()).contains(Finding.TOKEN_REUSED);
    }

    @Test
    void contentionWithAnAcquisitionWithoutAReplyIsNoViolationInTheNextPart() {
        record(1, Op.ACQUIRE, Phase.INVOKE, 1, 0);
        record(1, Op.ACQUIRE, Phase.INFO, 1, 0);
        cut();
        record(2, Op.ACQUIRE, Phase.INVOKE, 1, 0);
        record(2, Op.ACQUIRE, Phase.FAIL, 1, 0);

        assertThat(cut()).isEmpty();
    }

    @Test
    void contentionWithNobodyIsFoundButExpectedFromAnOrphanedTransaction() {
        used(1, 1, 5);
        cut();
        record(2, Op.ACQUIRE, Phase.INVOKE, 1, 0);
        record(2, Op.ACQUIRE, Phase.FAIL, 1, 0);
        CounterExample example = lock.cut().get(0);
        Judge judge = new Judge();

        assertThat(example.violation().finding()).isEqualTo(Finding.HELD_BY_NOBODY);
        assertThat(judge.found(new LockHistory(1, RealTechniques.named("transactional")), example))
                .isFalse();
        assertThat(judge.result().isSound()).isTrue();
        assertThat(judge.found(lock, example)).isTrue();
        assertThat(judge.result().isSound()).isFalse();
    }

    @Test
    void lossThatIsReportedAfterTheReleaseIsLeftOut() {
        used(1, 1, 5);
        cut();

        assertThat(record(1, Op.LOST, Phase.OK, 1, 0)).isFalse();
        assertThat(cut()).isEmpty();
    }
}
