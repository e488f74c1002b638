package org.mongolocks.leader.sync;

import org.jspecify.annotations.Nullable;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.ElectionThreads;
import org.mongolocks.leader.internal.ListeningOffice;
import org.mongolocks.leader.internal.LockPort.RoleLock;
import org.mongolocks.leader.internal.Office;
import org.mongolocks.leader.sync.LeaderElection.LeaderWork;

/** The office of a candidate whose work runs on a new thread in each term, so that no interrupt outlives its term. */
final class WorkingOffice implements Office {
    private final LeaderWork work;
    private final ListeningOffice listener;
    private volatile @Nullable Thread worker;

    WorkingOffice(LeaderWork work, ListeningOffice listener) {
        this.work = work;
        this.listener = listener;
    }

    @Override
    public void handle(LeaderEvent event) {
        listener.handle(event);
    }

    @Override
    public Work begin(Term term, RoleLock lock, Runnable ended) {
        Thread thread = ElectionThreads.thread("work-" + term.role(), () -> run(term, lock, ended));
        worker = thread;
        thread.start();
        return thread::interrupt;
    }

    boolean isCurrentThread() {
        return Thread.currentThread().equals(worker);
    }

    /** A term that was revoked before its work could begin has none. */
    private void run(Term term, RoleLock lock, Runnable ended) {
        try {
            lock.interruptOnLoss();
            if (term.isLeading()) {
                work.lead(term);
            }
        } catch (Exception e) {
            Office.ended(term, e);
        } finally {
            ended.run();
        }
    }
}
