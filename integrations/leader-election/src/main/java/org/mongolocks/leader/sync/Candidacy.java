package org.mongolocks.leader.sync;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.mongolocks.leader.CandidacyState;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.ElectionMachine;

/** A running candidacy for one role. Thread-safe. */
public final class Candidacy implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final Candidate candidate;
    private final ElectionMachine machine;
    private final BooleanSupplier isOwnThread;
    private final Duration closeTimeout;

    Candidacy(Candidate candidate, ElectionMachine machine, BooleanSupplier isOwnThread, Duration closeTimeout) {
        this.candidate = candidate;
        this.machine = machine;
        this.isOwnThread = isOwnThread;
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
     * ended, or the time for closing is over. It waits for both, at most that long; in the work or the listener of this
     * candidacy it does not wait. An interrupt ends the wait, and is kept. Further calls only wait.
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
        if (isOwnThread.getAsBoolean()) {
            return;
        }
        try {
            ended.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            LOG.log(WARNING, this + " has not ended within " + closeTimeout);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A candidacy could not be closed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a description for logs. */
    @Override
    public String toString() {
        return "the candidacy for role '" + candidate.role() + "' (" + state() + ")";
    }
}
