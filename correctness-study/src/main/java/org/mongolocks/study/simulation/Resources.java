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
public final class Resources {
    private final Recorder recorder;
    private final int lock;
    private long unfenced;
    private long fenced;
    private long touchFenced;
    private long written;
    private long touched;

    /** What a holder has read. */
    public record Values(long unfenced, long fenced, long touchFenced) {}

    /** Who reads or writes. */
    public record User(int process, int grant, long token, long commit) {}

    /**
     * Makes resources that nobody has used.
     *
     * @param recorder where each use is written down
     * @param lock which of several locks protects them; 0 where there is one
     */
    public Resources(Recorder recorder, int lock) {
        this.recorder = recorder;
        this.lock = lock;
    }

    /**
     * Reads each.
     *
     * @param user who reads
     * @return what is there
     */
    public Values read(User user) {
        touched = Math.max(touched, user.token());
        note(user, TOUCH, true, unfenced);
        return new Values(unfenced, fenced, touchFenced);
    }

    /**
     * Writes one more than was read to each that lets it.
     *
     * @param user who writes
     * @param read what was read before
     */
    public void write(User user, Values read) {
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

    /** Gives the largest token that the resources have seen. */
    long largestToken() {
        return Math.max(touched, written);
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
