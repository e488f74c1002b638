package org.mongolocks.study.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.Recorder;

class LivenessCheckTest {
    private static final long LEASE = Script.TTL;

    private final Recorder recorder = new Recorder(() -> this.now);
    private long now;

    private void at(long time, Op op, Phase phase, int grant, int lock) {
        now = time;
        recorder.line(grant, op, phase).grant(grant).lock(lock).add();
    }

    private boolean isStuck() {
        return !LivenessCheck.deadlocks(recorder.history(LEASE)).isEmpty();
    }

    @Test
    void waiterWithoutProgressForMoreThanALeaseAndAHalfIsStuck() {
        at(0, Op.ACQUIRE, Phase.INVOKE, 1, 1);
        at(2 * LEASE, Op.ACQUIRE, Phase.FAIL, 1, 1);

        assertThat(isStuck()).isTrue();
    }

    @Test
    void waiterAfterACrashIsNotStuck() {
        at(0, Op.ACQUIRE, Phase.INVOKE, 1, 1);
        at(LEASE + LEASE / 4, Op.ACQUIRE, Phase.OK, 1, 1);

        assertThat(isStuck()).isFalse();
    }

    @Test
    void waiterForAWorkingHolderIsNotStuck() {
        at(0, Op.ACQUIRE, Phase.INVOKE, 1, 1);
        at(LEASE, Op.TOUCH, Phase.OK, 2, 1);
        at(2 * LEASE, Op.ACQUIRE, Phase.FAIL, 1, 1);

        assertThat(isStuck()).isFalse();
    }

    @Test
    void waiterForASingleLockIsNotStuck() {
        at(0, Op.ACQUIRE, Phase.INVOKE, 1, 0);
        at(9 * LEASE, Op.ACQUIRE, Phase.OK, 1, 0);

        assertThat(isStuck()).isFalse();
    }
}
