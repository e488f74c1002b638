package org.mongolocks.study.sim.server;

import static org.mongolocks.study.history.Event.Op.TOUCH;
import static org.mongolocks.study.history.Event.Op.WRITE_FENCED;
import static org.mongolocks.study.history.Event.Op.WRITE_TOUCH_FENCED;
import static org.mongolocks.study.history.Event.Op.WRITE_UNFENCED;

import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.Recorder;

/**
 * The resources that the lock protects: a counter without a check; one that refuses a token below the largest written;
 * one that refuses a token below the largest read or written. A holder reads each, and writes the value plus one.
 */
public final class ProtectedResources {
    private final Recorder recorder;
    private final int lock;
    private long unfenced;
    private long fenced;
    private long touchFenced;
    private long written;
    private long touched;

    /** The values that a holder has read. */
    public record Values(long unfenced, long fenced, long touchFenced) {
        /** The values of unused resources. */
        public static final Values NONE = new Values(0, 0, 0);

        /** Returns the values after some writes of their holder. */
        public Values plus(int writes) {
            return new Values(unfenced + writes, fenced + writes, touchFenced + writes);
        }
    }

    /** The holder that reads or writes. */
    public record User(int process, int grant, long token, long commit) {}

    /**
     * Creates unused resources.
     *
     * @param recorder records each use
     * @param lock the number of the lock that protects them; 0 where there is one
     */
    public ProtectedResources(Recorder recorder, int lock) {
        this.recorder = recorder;
        this.lock = lock;
    }

    /**
     * Reads each resource.
     *
     * @param user the holder
     */
    public Values read(User user) {
        touched = Math.max(touched, user.token());
        note(user, TOUCH, true, unfenced);
        return new Values(unfenced, fenced, touchFenced);
    }

    /**
     * Writes the value plus one to each resource that accepts it.
     *
     * @param user the holder
     * @param read the values read before
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

    /** Returns the largest token that the resources have seen. */
    public long largestToken() {
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
