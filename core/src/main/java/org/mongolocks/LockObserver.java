package org.mongolocks;

/**
 * An observer of all locks of one client, for metrics and traces; see {@link LockClientBuilder#observer}. What must happen
 * after a loss belongs into a {@link LockLostListener}: an observer may miss events.
 */
@FunctionalInterface
public interface LockObserver {
    /**
     * Handles an event. Called on a daemon thread of the client, which calls it for one event after another, in the order
     * in which they happened in this client, without any monitor of the library. An observer that blocks delays nothing
     * but later events; while 1,024 events wait for it, further ones are dropped, which is logged once. A
     * {@link RuntimeException} is logged, and the next event is delivered.
     *
     * @param event the event
     */
    void onEvent(LockEvent event);
}
