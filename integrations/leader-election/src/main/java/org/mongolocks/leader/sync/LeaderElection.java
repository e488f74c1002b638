package org.mongolocks.leader.sync;

import static java.lang.System.Logger.Level.INFO;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.run.DaemonThreads;
import org.mongolocks.leader.CandidacyState;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.Leader;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.CandidateWork;
import org.mongolocks.leader.internal.ElectionMachine;
import org.mongolocks.leader.internal.ElectionTimer;
import org.mongolocks.leader.internal.Turns;
import org.mongolocks.sync.LockClient;

/**
 * Leader election on a {@link LockClient}: any number of candidates, each for one role. Create one for each client, and
 * share it: it is thread-safe.
 *
 * <pre>{@code
 * LeaderElection election = LeaderElection.with(locks);
 * election.lead(Candidate.of("reports", Duration.ofSeconds(30)), term -> runReports(term.fencingToken()));
 * // ... at shutdown, before the lock client is closed:
 * election.close();
 * }</pre>
 *
 * <p>All threads of an election are daemon threads: a program whose {@code main} ends while it leads exits, and its role
 * stays taken for up to one ttl. Let {@code main} wait, and close the election in a shutdown hook.
 *
 * <p>A candidate is elected when it holds the lock of its role, and leads while the lease is renewed. It is notified
 * ({@link LeaderEvent.Suspended}) when renewals fail, and revoked ({@link LeaderEvent.Revoked}) before the lease ends
 * on the server, with the time that is left to stop. So no two candidates {@linkplain Term#isLeading() lead} at a time,
 * as long as clocks run at their rates within the skew margin of the client, and nobody but candidates ends the lock;
 * see {@link Candidate#settling} for the latter. A pause of the process can outlast the lease between a check and a
 * write: write with {@link Term#fencingToken()}.
 */
public final class LeaderElection implements AutoCloseable {
    /** The default limit for closing: 10 seconds. */
    public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(10);

    /** The time that the threads get to end, however little is left for closing. */
    private static final Duration MIN_END = Duration.ofMillis(100);

    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final LockClient locks;
    private final SyncLockPort port;
    private final DaemonThreads threads = new DaemonThreads("leader-election");
    private final Duration closeTimeout;
    private final Optional<Executor> listeners;
    private final CallerLoader builder;
    private final Set<Candidacy> candidacies = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private LeaderElection(Builder builder) {
        this.locks = builder.locks;
        this.port = new SyncLockPort(
                locks,
                ElectionTimer.orElse(threads::timer),
                task -> CallerLoader.ofThisThread().on(threads.callbacks()).execute(task));
        this.closeTimeout = builder.closeTimeout;
        this.listeners = Optional.ofNullable(builder.listeners);
        this.builder = CallerLoader.ofThisThread();
    }

    /**
     * Creates an election with the default settings.
     *
     * @param locks the client; the caller closes it, after this election
     * @return the election
     */
    public static LeaderElection with(LockClient locks) {
        return builder(locks).build();
    }

    /**
     * Creates a builder of an election.
     *
     * @param locks the client; the caller closes it, after the election
     * @return a builder
     */
    public static Builder builder(LockClient locks) {
        return new Builder(Objects.requireNonNull(locks, "The lock client is null"));
    }

    /**
     * Starts a candidacy whose work runs during each term, on a thread of its own, with the context class loader of the
     * caller. The work is interrupted when the term is revoked; the role passes on when it has ended, or its grace is over. When the work ends by itself,
     * normally or with an exception, which is logged, the term ends, and the candidate asks for the role again after
     * its pause.
     *
     * @param candidate the candidate
     * @param work the work of a term
     * @return the candidacy, to close it or to resign
     * @throws IllegalStateException if this election is closed
     */
    public Candidacy lead(Candidate candidate, LeaderWork work) {
        return lead(candidate, work, event -> {});
    }

    /**
     * Starts a candidacy as {@link #lead(Candidate, LeaderWork)} does, with a listener besides.
     *
     * @param candidate the candidate
     * @param work the work of a term
     * @param listener is called with each event, in order, on a thread of the election or the executor of the builder.
     *     One that blocks or throws delays later events only.
     * @return the candidacy, to close it or to resign
     * @throws IllegalStateException if this election is closed
     */
    public Candidacy lead(Candidate candidate, LeaderWork work, Consumer<LeaderEvent> listener) {
        Objects.requireNonNull(work, "The work is null");
        Objects.requireNonNull(listener, "The listener is null");
        Turns events = events();
        ThreadWork threadWork = new ThreadWork(work, CandidateWork.of(events, listener));
        return start(candidate, threadWork, () -> Stream.concat(events.threads(), threadWork.thread()));
    }

    /**
     * Starts a candidacy that leads until it resigns or is closed, without work of its own: the caller asks
     * {@link Candidacy#isLeading()}.
     *
     * @param candidate the candidate
     * @return the candidacy
     * @throws IllegalStateException if this election is closed
     */
    public Candidacy start(Candidate candidate) {
        return start(candidate, event -> {});
    }

    /**
     * Starts a candidacy that leads until it resigns or is closed. The role passes on when the listener has returned
     * from {@link LeaderEvent.Revoked}, or its grace is over: a listener that stops the work of the term returns when
     * it has stopped.
     *
     * @param candidate the candidate
     * @param listener is called with each event, in order, on a thread of the election or the executor of the builder.
     *     While one blocks, other candidacies go on, and this one does not lead again.
     * @return the candidacy
     * @throws IllegalStateException if this election is closed
     */
    public Candidacy start(Candidate candidate, Consumer<LeaderEvent> listener) {
        Objects.requireNonNull(listener, "The listener is null");
        Turns events = events();
        return start(candidate, CandidateWork.of(events, listener), events::threads);
    }

    /**
     * Reads who leads. One round trip. The result may be outdated when it is read.
     *
     * @param role the name of the role
     * @return the leader, or a candidate that is granted the lock and {@linkplain Candidate#settling settling}; empty
     *     if there is none
     * @throws IllegalArgumentException if the name is out of bounds; see {@link org.mongolocks.LockName}
     * @throws LockException if the server refused or gave no reply
     * @throws LockInterruptedException if the thread was interrupted
     */
    public Optional<Leader> leader(String role) {
        return locks.inspect(role).flatMap(Leader::of);
    }

    /**
     * Closes all candidacies, each as {@link Candidacy#close()} does, which says where it does not wait. Those that lead
     * hand over. It waits until all have ended, at most as long as the builder says. An interrupt ends the wait, not the closing, and is kept: each role
     * still passes on. The threads of the election end too, soon after the code that they run. Further calls have no
     * effect.
     */
    @Override
    public void close() {
        closed = true;
        List<Candidacy> all = List.copyOf(candidacies);
        long deadlineNanos = System.nanoTime() + closeTimeout.toNanos();
        if (!all.isEmpty()) {
            LOG.log(INFO, "A leader election is closed, which ends within " + closeTimeout + ": " + all);
        }
        all.forEach(Candidacy::beginClose);
        all.forEach(candidacy -> candidacy.close(deadlineNanos));
        if (all.stream().anyMatch(candidacy -> candidacy.state() != CandidacyState.CLOSED) || isCodeOfElections()) {
            threads.endWhenIdle();
            return;
        }
        try {
            threads.stop(Duration.ofNanos(Math.max(MIN_END.toNanos(), deadlineNanos - System.nanoTime())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether listeners that go on may wait for the calling thread. */
    private static boolean isCodeOfElections() {
        return Turns.isRunning() || DaemonThreads.isOfLibrary(Thread.currentThread());
    }

    private Turns events() {
        Optional<Executor> users = listeners.map(executor -> listener -> builder.run(() -> executor.execute(listener)));
        return new Turns(
                threads.listeners(users),
                listeners.<Object>map(executor -> executor).orElseGet(Object::new));
    }

    private Candidacy start(Candidate candidate, CandidateWork work, Supplier<Stream<Thread>> threadsOfCode) {
        Objects.requireNonNull(candidate, "The candidate is null");
        ElectionMachine machine = new ElectionMachine(candidate, port, work);
        Candidacy candidacy = new Candidacy(candidate, machine, threadsOfCode, closeTimeout);
        candidacies.add(candidacy);
        if (closed) {
            candidacies.remove(candidacy);
            throw new IllegalStateException("This leader election is closed");
        }
        var unused = machine.closed().whenComplete((nothing, error) -> candidacies.remove(candidacy));
        machine.begin();
        return candidacy;
    }

    /** The work of a leader. */
    @FunctionalInterface
    public interface LeaderWork {
        /**
         * Leads. It is called once for each term, on a thread of its own, which is interrupted when the term is
         * revoked: return soon then. Write data with {@link Term#fencingToken()}, and check {@link Term#isLeading()}
         * between steps.
         *
         * @param term the term
         * @throws Exception if the work fails, which is logged; the term ends
         */
        void lead(Term term) throws Exception;
    }

    /** A builder of a {@link LeaderElection}. Not thread-safe. */
    public static final class Builder {
        private static final Duration MAX_CLOSE_TIMEOUT = Duration.ofMinutes(10);

        private final LockClient locks;
        private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
        private @Nullable Executor listeners;

        private Builder(LockClient locks) {
            this.locks = locks;
        }

        /**
         * Limits how long closing may take. Work that goes on by then loses its role, though it was asked to stop.
         *
         * @param limit from zero, which does not wait, to 10 minutes; {@link #DEFAULT_CLOSE_TIMEOUT} unless set
         * @return this
         * @throws IllegalArgumentException if the limit is out of bounds
         */
        public Builder closeTimeout(Duration limit) {
            if (limit.isNegative() || limit.compareTo(MAX_CLOSE_TIMEOUT) > 0) {
                throw new IllegalArgumentException(
                        "closeTimeout must be from PT0S to " + MAX_CLOSE_TIMEOUT + ", was " + limit);
            }
            this.closeTimeout = limit;
            return this;
        }

        /**
         * Sets the executor of listeners. Without one, daemon threads of the election run them. A listener has the
         * context class loader of the caller that passed it.
         *
         * @param executor the executor; a daemon thread of the election runs a listener that it rejects. Do not call
         *     {@code close()} in other tasks of one that has few threads: it waits for listeners that they may hold up.
         * @return this
         */
        public Builder listenerExecutor(Executor executor) {
            this.listeners = Objects.requireNonNull(executor, "The executor is null");
            return this;
        }

        /**
         * Builds the election. No round trip.
         *
         * @return the election
         */
        public LeaderElection build() {
            return new LeaderElection(this);
        }
    }
}
