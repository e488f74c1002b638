package org.mongolocks.study.simulation;

import static org.mongolocks.study.history.Event.Op.TOUCH;
import static org.mongolocks.study.history.Event.Op.WRITE_FENCED;
import static org.mongolocks.study.history.Event.Op.WRITE_TOUCH_FENCED;
import static org.mongolocks.study.history.Event.Op.WRITE_UNFENCED;

import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.Recorder;

/**
 * Is what the lock protects, three times: a counter that anybody may write; one that refuses a token below the largest
 * written; one that refuses a token below the largest read or written with. A holder reads each and writes one more.
 */
final class Resources {
    private final Recorder recorder;
    private final int lock;
    private long unfenced;
    private long fenced;
    private long touchFenced;
    private long written;
    private long touched;

    /** What a holder has read. */
    record Values(long unfenced, long fenced, long touchFenced) {}

    /** Who reads or writes. */
    record User(int process, int grant, long token, long commit) {}

    Resources(Recorder recorder, int lock) {
        this.recorder = recorder;
        this.lock = lock;
    }

    Values read(User user) {
        touched = Math.max(touched, user.token());
        note(user, TOUCH, true, unfenced);
        return new Values(unfenced, fenced, touchFenced);
    }

    void write(User user, Values read) {
        unfenced = read.unfenced() + 1;
        note(user, WRITE_UNFENCED, true, unfenced);
        boolean isNew = user.token() >= written;
        if (isNew) {
            written = user.token();
            fenced = read.fenced() + 1;
        }
        note(user, WRITE_FENCED, isNew, read.fenced() + 1);
        boolean isNewest = user.token() >= touched;
        if (isNewest) {
            touched = user.token();
            touchFenced = read.touchFenced() + 1;
        }
        note(user, WRITE_TOUCH_FENCED, isNewest, read.touchFenced() + 1);
    }

    private void note(User user, Op op, boolean accepted, long value) {
        recorder.line(user.process(), op, accepted ? Phase.OK : Phase.FAIL)
                .grant(user.grant())
                .decided(user.token(), user.commit())
                .value(value)
                .lock(lock)
                .add();
    }
}
