package org.mongolocks.leader.reactive;

import java.util.function.Function;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.CandidateWork;
import org.mongolocks.leader.internal.ElectionMachine;
import org.mongolocks.leader.internal.LockPort.RoleLock;
import org.mongolocks.leader.internal.Turns;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.util.context.ContextView;

/**
 * The work of a candidate, which is subscribed in each term, and cancelled at its end.
 *
 * @param caller the caller that passed the work
 * @param context the context of the candidacy's subscriber
 */
record SubscribedWork(
        Function<Term, ? extends Publisher<?>> work, Turns signals, CallerLoader caller, ContextView context)
        implements CandidateWork {
    @Override
    public void handle(LeaderEvent event) {
        // the work is notified by its cancellation
    }

    @Override
    public Running begin(Term term, RoleLock lock, Runnable ended) {
        Disposable.Swap running = Disposables.swap();
        signals.add(() -> caller.run(() -> ElectionMachine.orElse(() -> subscribe(term, running, ended), ended)));
        return () -> signals.add(() -> {
            try {
                caller.run(running::dispose);
            } finally {
                ended.run();
            }
        });
    }

    /** A term that was revoked before its work could begin has none. */
    private void subscribe(Term term, Disposable.Swap running, Runnable ended) {
        if (!term.isLeading()) {
            ended.run();
            return;
        }
        running.update(Flux.defer(() -> Flux.from(work.apply(term)))
                .contextWrite(context)
                .subscribe(
                        element -> {},
                        error -> {
                            CandidateWork.ended(term, error);
                            ended.run();
                        },
                        ended));
    }
}
