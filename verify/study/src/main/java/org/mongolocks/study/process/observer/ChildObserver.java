package org.mongolocks.study.process.observer;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.GrantToken;
import org.mongolocks.study.sim.server.ProtectedResources;

/** Receives what children report. Each child has a calling thread of its own, so implementations are thread-safe. */
public interface ChildObserver {
    /** Records an event of a child. */
    void record(int child, Event event);

    /** Reads the resources for a holder. */
    ProtectedResources.Values read(int child, GrantToken grantToken);

    /** Writes the resources for a holder. */
    void write(int child, GrantToken grantToken, ProtectedResources.Values read);

    /**
     * Chooses the lock that a worker acquires next; the answer, its number or {@link
     * org.mongolocks.study.process.message.ParentMessage#NO_LOCK}, may be given later, on any thread.
     */
    void next(int child, ChildMessage.Next asked, IntConsumer answer);

    /** Called with the memory and the threads of a child. */
    void measured(int child, ChildMessage.Usage usage);

    /** Called at the normal end of a child. */
    void ended(int child, ChildMessage.Bye bye);

    /** Called when the connection of a child has ended, after all of its reports. */
    void gone(int child);

    /** Fails the run. */
    void fail(RunFailedException e);

    /** Called when the state of a child has changed. */
    void changed();

    /**
     * Waits until a condition holds, within a time limit.
     *
     * @return whether it holds
     * @throws RunFailedException if the run has failed
     */
    boolean await(BooleanSupplier condition, Duration limit) throws InterruptedException;
}
