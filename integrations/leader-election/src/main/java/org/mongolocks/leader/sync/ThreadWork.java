package org.mongolocks.leader.sync;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.run.DaemonThreads;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.CandidateWork;
import org.mongolocks.leader.internal.LockPort.RoleLock;
import org.mongolocks.leader.sync.LeaderElection.LeaderWork;

/** The work of a candidate, which runs on a new thread in each term, so that no interrupt outlives its term. */
final class ThreadWork implements CandidateWork {
    private final LeaderWork work;
    private final CandidateWork listener;
    private final CallerLoader caller = CallerLoader.ofThisThread();
    private volatile @Nullable Thread worker;

    ThreadWork(LeaderWork work, CandidateWork listener) {
        this.work = work;
        this.listener = listener;
    }

    @Override
    public void handle(LeaderEvent event) {
        listener.handle(event);
    }

    @Override
    public Running begin(Term term, RoleLock lock, Runnable ended) {
        Thread thread = DaemonThreads.thread(
                "mongo-locks-leader-work-" + term.role(), () -> caller.run(() -> run(term, lock, ended)));
        worker = thread;
        thread.start();
        return thread::interrupt;
    }

    /** Returns the thread of the last term, if there was one. */
    Stream<Thread> thread() {
        return Stream.ofNullable(worker);
    }

    /** A term that was revoked before its work could begin has none. */
    private void run(Term term, RoleLock lock, Runnable ended) {
        try {
            lock.interruptOnLoss();
            if (term.isLeading()) {
                work.lead(term);
            }
        } catch (Exception e) {
            CandidateWork.ended(term, e);
        } finally {
            ended.run();
        }
    }
}
