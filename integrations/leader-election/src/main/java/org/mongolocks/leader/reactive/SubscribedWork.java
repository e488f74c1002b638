package org.mongolocks.leader.reactive;

import java.util.function.Function;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.CandidateWork;
import org.mongolocks.leader.internal.LockPort.RoleLock;
import org.mongolocks.leader.internal.Turns;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;

/** The work of a candidate, which is subscribed in each term, and cancelled at its end. */
record SubscribedWork(Function<Term, ? extends Publisher<?>> work, Turns signals) implements CandidateWork {
    @Override
    public void handle(LeaderEvent event) {
        // the work is notified by its cancellation
    }

    @Override
    public Running begin(Term term, RoleLock lock, Runnable ended) {
        Disposable.Swap running = Disposables.swap();
        signals.add(() -> subscribe(term, running, ended));
        return () -> signals.add(() -> {
            running.dispose();
            ended.run();
        });
    }

    /** A term that was revoked before its work could begin has none. */
    private void subscribe(Term term, Disposable.Swap running, Runnable ended) {
        if (!term.isLeading()) {
            ended.run();
            return;
        }
        running.update(Flux.defer(() -> Flux.from(work.apply(term)))
                .subscribe(
                        element -> {},
                        error -> {
                            CandidateWork.ended(term, error);
                            ended.run();
                        },
                        ended));
    }
}
