package org.mongolocks.leader.internal;

import java.util.function.Consumer;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.LockPort.RoleLock;

/** The office of a candidate whose work is done by its listener: it has ended when the listener has handled the end. */
public final class ListeningOffice implements Office {
    private final Turns events;
    private final Consumer<LeaderEvent> listener;

    /**
     * Creates the office.
     *
     * @param events runs the listener
     * @param listener handles the events, and may block
     */
    public ListeningOffice(Turns events, Consumer<LeaderEvent> listener) {
        this.events = events;
        this.listener = listener;
    }

    @Override
    public Work begin(Term term, RoleLock lock, Runnable ended) {
        return () -> events.add(ended);
    }

    @Override
    public void handle(LeaderEvent event) {
        events.add(() -> listener.accept(event));
    }
}
