package org.mongolocks.leader.reactive;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.run.DaemonThreads;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.Leader;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.CandidateWork;
import org.mongolocks.leader.internal.ElectionMachine;
import org.mongolocks.leader.internal.ElectionTimer;
import org.mongolocks.leader.internal.Turns;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.time.Timer;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Leader election on a {@link ReactiveLockClient}: each subscription is a candidacy for one role, and its cancellation
 * hands over. Create one for each client, and share it: it is thread-safe.
 *
 * <pre>{@code
 * ReactiveLeaderElection election = ReactiveLeaderElection.with(locks);
 * Disposable candidacy = election
 *         .lead(Candidate.of("reports", Duration.ofSeconds(30)), term -> runReports(term.fencingToken()))
 *         .subscribe();
 * }</pre>
 *
 * <p>When a candidate is elected and revoked is said at {@code org.mongolocks.leader.sync.LeaderElection}: both clients
 * run the same course. Signals arrive on threads of the election, which may block: a subscriber that does delays its
 * own later signals only.
 */
public final class ReactiveLeaderElection {
    private final ReactiveLockClient locks;
    private final DaemonThreads threads = new DaemonThreads("leader-election");
    private final Timer timer;
    /** The candidacies, with the signals of each. */
    private final Map<ElectionMachine, Turns> candidacies = new ConcurrentHashMap<>();

    private volatile boolean closed;

    private ReactiveLeaderElection(ReactiveLockClient locks) {
        this.locks = Objects.requireNonNull(locks, "The lock client is null");
        this.timer = ElectionTimer.orElse(threads::timer);
    }

    /**
     * Creates an election.
     *
     * @param locks the client; the caller closes it, after the candidacies were cancelled
     * @return the election
     */
    public static ReactiveLeaderElection with(ReactiveLockClient locks) {
        return new ReactiveLeaderElection(locks);
    }

    /**
     * Returns candidacies that lead until they are cancelled, or their term resigns, without work of their own.
     *
     * @param candidate the candidate
     * @return emits the events of the candidacy that each subscription is, and completes when it has ended: after its
     *     first term if the candidate {@linkplain Candidate#once() leads once}, or when the client is closed. After
     *     {@link LeaderEvent.Revoked} the role passes on when {@code onNext} has returned. A cancellation releases the
     *     role at once: for work that must have ended before, use {@link #lead}. It fails only if this
     *     election is closed.
     */
    public Flux<LeaderEvent> events(Candidate candidate) {
        Objects.requireNonNull(candidate, "The candidate is null");
        return Flux.create(sink -> {
            Turns signals = new Turns(threads.callbacks(), new Object());
            run(candidate, CandidateWork.of(signals, sink::next), signals, sink);
        });
    }

    /**
     * Returns candidacies whose work is subscribed during each term. When the term is revoked the work is cancelled,
     * and the role passes on when the cancellation has returned. When the work ends by itself, with an error, which is
     * logged, or without, the term ends, and the candidate asks for the role again after its pause.
     *
     * @param candidate the candidate
     * @param work returns the work of a term; its elements are dropped. Write data with {@link Term#fencingToken()}. It
     *     runs with the context class loader of the caller, and in the Reactor context of the candidacy's subscriber.
     * @return emits nothing, and completes when the candidacy has ended; a cancellation ends it. It fails only
     *     if this election is closed.
     */
    public Mono<Void> lead(Candidate candidate, Function<Term, ? extends Publisher<?>> work) {
        Objects.requireNonNull(candidate, "The candidate is null");
        Objects.requireNonNull(work, "The work is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        return Flux.<Void>create(sink -> {
                    Turns signals = new Turns(threads.callbacks(), new Object());
                    run(candidate, new SubscribedWork(work, signals, caller, sink.contextView()), signals, sink);
                })
                .then();
    }

    /**
     * Reads who leads. One round trip. The result may be outdated when it is read.
     *
     * @param role the name of the role
     * @return emits the leader, or a candidate that is granted the lock and {@linkplain Candidate#settling settling};
     *     nothing if there is none. Fails as {@link ReactiveLockClient#inspect(String)} does.
     * @throws IllegalArgumentException if the name is out of bounds; see {@link org.mongolocks.LockName}
     */
    public Mono<Leader> leader(String role) {
        return locks.inspect(role).flatMap(lock -> Mono.justOrEmpty(Leader.of(lock)));
    }

    /**
     * Ends all candidacies, as cancellations do, and completes their subscribers. Call it before the client is closed.
     * Later subscriptions fail with an {@link IllegalStateException}.
     *
     * @param grace how long the work may go on before its role passes on; zero or more
     * @return completes when all have ended; work that ignores its cancellation is awaited, but that of a candidacy on
     *     whose thread this is subscribed to. Begins with the subscription.
     */
    public Mono<Void> closeLater(Duration grace) {
        Objects.requireNonNull(grace, "The grace is null");
        return Mono.defer(() -> {
            closed = true;
            Thread caller = Thread.currentThread();
            return Flux.fromIterable(candidacies.entrySet())
                    .flatMap(candidacy -> {
                        CompletableFuture<Void> ended = candidacy.getKey().close(grace);
                        boolean isOwn = candidacy.getValue().threads().anyMatch(caller::equals);
                        return isOwn ? Mono.empty() : Mono.fromFuture(ended, true);
                    })
                    .then()
                    .publishOn(
                            Schedulers.fromExecutor(CallerLoader.ofThisThread().on(threads.callbacks())))
                    .doOnTerminate(threads::endWhenIdle);
        });
    }

    private void run(Candidate candidate, CandidateWork work, Turns signals, FluxSink<?> sink) {
        ElectionMachine machine =
                new ElectionMachine(candidate, new ReactiveLockPort(locks, timer, sink.contextView()), work);
        candidacies.put(machine, signals);
        if (closed) {
            candidacies.remove(machine);
            sink.error(new IllegalStateException("This leader election is closed"));
            return;
        }
        var unused = machine.closed().whenComplete((nothing, error) -> {
            candidacies.remove(machine);
            signals.add(sink::complete);
        });
        sink.onDispose(() -> {
            var unusedClosing = machine.close(candidate.ttl());
        });
        machine.begin();
    }
}
