package org.mongolocks.study.process.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.technique.RealTechniques;

/** Tests of a history that is checked and cut again and again. */
class SoakLockTest {
    private static final Duration NEVER = Duration.ofDays(1);

    private final SoakLock lock = lock(NEVER);

    private static SoakLock lock(Duration cutAfter) {
        return new SoakLock(7, RealTechniques.named("insert-unique"), cutAfter);
    }

    private boolean record(int child, Op op, Phase phase, int grant, long token) {
        long now = System.nanoTime();
        long end = now + RealTechniques.TTL.toNanos();
        return lock.record(child, new Event(0, now, 0, op, phase, grant, token, 0, now, end, 0, "", 7));
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

    private List<Finding> cut() {
        return lock.cut().stream().map(one -> one.violation().finding()).toList();
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
    void contentionWithNobodyIsFound() {
        used(1, 1, 5);
        cut();
        record(2, Op.ACQUIRE, Phase.INVOKE, 1, 0);
        record(2, Op.ACQUIRE, Phase.FAIL, 1, 0);

        assertThat(cut()).containsExactly(Finding.HELD_BY_NOBODY);
    }

    @Test
    void lossThatIsReportedAfterTheReleaseIsLeftOut() {
        used(1, 1, 5);
        cut();

        assertThat(record(1, Op.LOST, Phase.OK, 1, 0)).isFalse();
        assertThat(cut()).isEmpty();
    }

    @Test
    void lockThatIsDueRestsWhenItIsUnusedUntilItIsCut() {
        SoakLock due = lock(Duration.ZERO);

        assertThat(due.enter()).isFalse();
        assertThat(due.rests()).isTrue();
        assertThat(due.rests()).isFalse();
    }

    @Test
    void usedLockDoesNotRest() {
        assertThat(lock.enter()).isTrue();
        assertThat(lock.rests()).isFalse();
    }

    @Test
    void contentionOfTransactionsWithNobodyIsExpectedFromAnOrphan() {
        used(1, 1, 5);
        record(2, Op.ACQUIRE, Phase.INVOKE, 1, 0);
        record(2, Op.ACQUIRE, Phase.FAIL, 1, 0);
        SoakResult result = new SoakResult();
        CounterExample example = lock.cut().get(0);

        assertThat(result.found(new SoakLock(1, RealTechniques.named("transactional"), NEVER), example))
                .isFalse();
        assertThat(result.isSound()).isTrue();
        assertThat(result.found(lock, example)).isTrue();
        assertThat(result.isSound()).isFalse();
    }
}
