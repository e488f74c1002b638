package org.mongolocks.example.data;

import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.mongolocks.server.BackgroundTask;

/** Runs an action, on a thread of its own, before the driver sends a command on a collection. Once. */
final class Interleaving implements CommandListener {
    private final AtomicReference<Action> next = new AtomicReference<>(Action.NONE);
    private volatile CountDownLatch failure = new CountDownLatch(1);

    /**
     * An action and its place.
     *
     * @param command the name of the command
     * @param collection the collection that it names
     * @param work what runs before it
     */
    private record Action(String command, String collection, Work work) {
        private static final Action NONE = new Action("", "", () -> {});

        boolean isBefore(CommandStartedEvent event) {
            return event.getCommandName().equals(command)
                    && event.getCommand().getString(command).getValue().equals(collection);
        }
    }

    /** What runs in between; it may fail. */
    interface Work {
        void run() throws Exception;
    }

    void before(String command, String collection, Work work) {
        next.set(new Action(command, collection, work));
    }

    /** Returns a latch that is counted down when the next command fails. */
    CountDownLatch nextFailure() {
        failure = new CountDownLatch(1);
        return failure;
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        Action action = next.get();
        if (action.isBefore(event) && next.compareAndSet(action, Action.NONE)) {
            try {
                // A thread of its own does not join the transaction of this one.
                BackgroundTask.run(() -> {
                            action.work().run();
                            return true;
                        })
                        .result();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        failure.countDown();
    }
}
