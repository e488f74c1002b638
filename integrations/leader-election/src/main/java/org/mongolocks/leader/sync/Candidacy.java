package org.mongolocks.leader.sync;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.mongolocks.leader.CandidacyState;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.ElectionMachine;

/** A running candidacy for one role. Thread-safe. */
public final class Candidacy implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    /** The candidacy whose end each thread awaits. */
    private static final Map<Thread, Candidacy> AWAITED = new ConcurrentHashMap<>();

    private final Candidate candidate;
    private final ElectionMachine machine;
    private final Supplier<Stream<Thread>> threads;
    private final Duration closeTimeout;

    /**
     * Creates a candidacy.
     *
     * @param threads returns the threads that run its code, or that its listener may have to wait for
     */
    Candidacy(Candidate candidate, ElectionMachine machine, Supplier<Stream<Thread>> threads, Duration closeTimeout) {
        this.candidate = candidate;
        this.machine = machine;
        this.threads = threads;
        this.closeTimeout = closeTimeout;
    }

    /**
     * Returns the candidate.
     *
     * @return the candidate
     */
    public Candidate candidate() {
        return candidate;
    }

    /**
     * Returns the state. No round trip.
     *
     * @return the state
     */
    public CandidacyState state() {
        return machine.state();
    }

    /**
     * Returns the current term. No round trip.
     *
     * @return the term; empty while the candidate does not lead
     */
    public Optional<Term> term() {
        return machine.term();
    }

    /**
     * Returns whether the candidate leads, as {@link Term#isLeading()} does.
     *
     * @return true while it leads
     */
    public boolean isLeading() {
        return term().isPresent();
    }

    /** Ends the current term, if there is one, as {@link Term#resign()} does; the candidacy goes on. */
    public void resign() {
        machine.resign();
    }

    /**
     * Ends the candidacy. A wait for the role ends; a leader is revoked, and the role passes on when its work has
     * ended, or the time for closing is over. It waits for both, at most that long. It does not wait in code that has to
     * end before: the work or the listener of this candidacy, a listener on the same executor, and code that waits for
     * such code. An interrupt ends the wait, and is kept. Further calls only wait.
     */
    @Override
    public void close() {
        close(System.nanoTime() + closeTimeout.toNanos());
    }

    void beginClose() {
        var unused = machine.close(closeTimeout);
    }

    void close(long deadlineNanos) {
        CompletableFuture<Void> ended = machine.close(closeTimeout);
        Thread caller = Thread.currentThread();
        AWAITED.put(caller, this);
        try {
            if (!needs(caller, new HashSet<>())) {
                ended.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException e) {
            LOG.log(WARNING, this + " has not ended within " + closeTimeout);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A candidacy could not be closed", e.getCause());
        } catch (InterruptedException e) {
            caller.interrupt();
        } finally {
            AWAITED.remove(caller);
        }
    }

    /** Returns whether it cannot end before a thread goes on: it needs that thread, or one that waits for it in turn. */
    private boolean needs(Thread thread, Set<Candidacy> seen) {
        return seen.add(this)
                && threads.get()
                        .anyMatch(needed -> needed.equals(thread)
                                || Stream.ofNullable(AWAITED.get(needed)).anyMatch(next -> next.needs(thread, seen)));
    }

    /** Returns a description for logs. */
    @Override
    public String toString() {
        return "the candidacy for role '" + candidate.role() + "' (" + state() + ")";
    }
}
