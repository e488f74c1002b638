package org.mongolocks.study.check;

import java.util.HashMap;
import java.util.Map;
import org.mongolocks.study.check.Checker.Claims;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;
import org.mongolocks.study.history.Recorder;

/** A handwritten history; each grant belongs to the process of the same number. The ttl is 1000. */
public final class Script {
    static final long TTL = 1_000;
    static final Claims LEASED = new Claims(true, true, false);
    static final Claims UNLEASED = new Claims(false, false, false);

    private final Recorder recorder = new Recorder(this::now);
    private final Map<Integer, Long> tokens = new HashMap<>();
    private final Map<Integer, Long> commits = new HashMap<>();
    private long now;

    private long now() {
        return now;
    }

    public Script at(long time) {
        now = time;
        return this;
    }

    public Script asks(int grant) {
        recorder.line(grant, Op.ACQUIRE, Phase.INVOKE).grant(grant).add();
        return this;
    }

    /** Acquires the lock; its lease begins now. */
    public Script gets(int grant, long token, long commit) {
        tokens.put(grant, token);
        commits.put(grant, commit);
        recorder.line(grant, Op.ACQUIRE, Phase.OK)
                .grant(grant)
                .decided(token, commit)
                .lease(now, now + TTL)
                .add();
        return this;
    }

    public Script renews(int grant) {
        recorder.line(grant, Op.RENEW, Phase.OK)
                .grant(grant)
                .lease(now, now + TTL)
                .add();
        return this;
    }

    public Script releases(int grant) {
        recorder.line(grant, Op.RELEASE, Phase.INVOKE).grant(grant).add();
        return this;
    }

    public Script released(int grant, long commit) {
        recorder.line(grant, Op.RELEASE, Phase.OK)
                .grant(grant)
                .decided(tokens.getOrDefault(grant, 0L), commit)
                .add();
        return this;
    }

    /** Finds the lock contended. */
    public Script isContended(int grant) {
        recorder.line(grant, Op.ACQUIRE, Phase.FAIL).grant(grant).add();
        return this;
    }

    /** An operator force-releases the lock with the snapshot of a grant. */
    public Script forces(int seen, long commit) {
        recorder.line(99, Op.FORCE, Phase.OK).grant(seen).decided(0, commit).add();
        return this;
    }

    public Script happens(Op op, Phase phase, int grant) {
        recorder.line(grant, op, phase)
                .grant(grant)
                .decided(tokens.getOrDefault(grant, 0L), commits.getOrDefault(grant, 0L))
                .add();
        return this;
    }

    public Script writes(Op op, int grant, long value) {
        recorder.line(grant, op, Phase.OK)
                .grant(grant)
                .decided(tokens.getOrDefault(grant, 0L), commits.getOrDefault(grant, 0L))
                .value(value)
                .add();
        return this;
    }

    public Script recordFault(Op op, Phase phase, int process) {
        recorder.line(process, op, phase).add();
        return this;
    }

    /** Fails to acquire the lock, with or without a known outcome. */
    public Script isRefused(int grant, String why) {
        recorder.line(grant, Op.ACQUIRE, Phase.INFO).grant(grant).note(why).add();
        return this;
    }

    public History history() {
        return recorder.history(TTL);
    }

    /** Two processes request the lock, and the second gets it when the first has released it. */
    public Script oneAfterTheOther() {
        return at(0).asks(1)
                .asks(2)
                .at(10)
                .gets(1, 5, 1)
                .at(20)
                .releases(1)
                .at(30)
                .released(1, 2)
                .at(40)
                .gets(2, 6, 3);
    }
}
