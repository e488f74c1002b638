package org.mongolocks.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;

/**
 * The observations of one call: its acquisition, and then the work, if the call has any. At most one of them runs, and
 * each is stopped once, by the first method that ends it; after the end of the call nothing starts. Thread-safe: a
 * cancellation may come on another thread than the grant.
 */
final class ObservedCall {
    private final ObservationRegistry registry;
    private final LockName name;
    private final String strategy;
    private final Mode mode;
    private final @Nullable ObservationView parent;
    private Observation running;
    private LockObservationContext context;
    private Observation.Scope scope = Observation.Scope.NOOP;
    private State state = State.ACQUIRING;

    /**
     * The client that is called. The synchronous one does all on one thread, which has the observation as its current.
     */
    enum Mode {
        SYNC,
        REACTIVE
    }

    private enum State {
        ACQUIRING,
        HOLDING,
        WORKING,
        ENDED
    }

    /**
     * Starts the observation of the acquisition, with the current one of the thread as its parent, unless one is given.
     */
    ObservedCall(
            ObservationRegistry registry, LockName name, String strategy, Mode mode, @Nullable Observation caller) {
        this.registry = registry;
        this.name = name;
        this.strategy = strategy;
        this.mode = mode;
        this.parent = caller == null ? registry.getCurrentObservation() : caller;
        this.context = newContext(LockObservation.ACQUIRE);
        this.running = start(context);
        openScope();
    }

    /** Returns the observation that was started last. */
    synchronized Observation latest() {
        return running;
    }

    /** Ends the acquisition. */
    synchronized void acquired(long token) {
        if (state == State.ACQUIRING) {
            context.granted(token);
            stop("acquired", null);
            state = State.HOLDING;
        }
    }

    /** Ends the acquisition, and starts the observation of the work. */
    synchronized Observation beginWork(long token) {
        acquired(token);
        if (state == State.HOLDING) {
            context = newContext(LockObservation.WORK);
            context.granted(token);
            running = start(context);
            openScope();
            state = State.WORKING;
        }
        return running;
    }

    /** Ends the call, which has returned: without a grant, the lock was contended. */
    synchronized void returned() {
        end(state == State.ACQUIRING ? "contended" : "done", null);
    }

    /** Ends the call, which was cancelled. */
    synchronized void cancelled() {
        end("cancelled", null);
    }

    /** Ends the call, which has failed. */
    synchronized void failed(Throwable error) {
        boolean isAcquiring = state == State.ACQUIRING;
        if (isAcquiring && error instanceof LockContendedException) {
            end("contended", null);
        } else if (isAcquiring && error instanceof InterruptedException) {
            end("cancelled", null);
        } else if (isAcquiring && error instanceof IndeterminateOutcomeException) {
            end("indeterminate", error);
        } else {
            end(!isAcquiring && isLossOfThis(error) ? "lost" : "failed", error);
        }
    }

    /** Ends the call, if nothing has, as after an {@link Error}. */
    synchronized void close() {
        end("failed", null);
    }

    private void end(String outcome, @Nullable Throwable error) {
        if (state == State.ACQUIRING || state == State.WORKING) {
            stop(outcome, error);
        }
        state = State.ENDED;
    }

    private void stop(String outcome, @Nullable Throwable error) {
        context.ended(outcome);
        scope.close();
        scope = Observation.Scope.NOOP;
        if (error != null) {
            running.error(error);
        }
        running.stop();
    }

    private LockObservationContext newContext(LockObservation of) {
        String client = mode == Mode.SYNC ? "sync" : "reactive";
        return new LockObservationContext(of, name, strategy, client);
    }

    private Observation start(LockObservationContext of) {
        LockObservation kind = of.observation();
        LockObservationConvention convention = () -> kind;
        Observation created = Observation.createNotStarted(null, convention, () -> of, registry);
        of.setParentObservation(parent);
        return created.start();
    }

    private void openScope() {
        if (mode == Mode.SYNC) {
            scope = running.openScope();
        }
    }

    /** The error of the work has the loss of its lock as a suppressed one. */
    private boolean isLossOfThis(Throwable error) {
        return Stream.concat(Stream.of(error), Stream.of(error.getSuppressed()))
                .anyMatch(one -> one instanceof LockLostException lost
                        && lost.lockName().filter(name::equals).isPresent());
    }
}
