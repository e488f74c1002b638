package org.mongolocks.server;

import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/**
 * A command listener that signals when a client sends commands, and when they get replies; tests may wait for different
 * commands at the same time.
 */
public final class CommandLatch implements CommandListener {
    private final List<Watch> watches = new CopyOnWriteArrayList<>();

    private record Watch(
            Predicate<CommandStartedEvent> commands,
            CountDownLatch latch,
            boolean whenAnswered,
            Set<Integer> unanswered) {
        void started(CommandStartedEvent event) {
            if (!commands.test(event)) {
                return;
            }
            if (whenAnswered) {
                unanswered.add(event.getRequestId());
            } else {
                latch.countDown();
            }
        }

        void ended(int requestId) {
            if (unanswered.remove(requestId)) {
                latch.countDown();
            }
        }

        boolean isOver() {
            return latch.getCount() == 0;
        }
    }

    /** Returns a latch that counts the matching commands sent from now on. */
    public CountDownLatch nextSent(int times, Predicate<CommandStartedEvent> commands) {
        return watch(times, commands, false);
    }

    /** Returns a latch that counts replies to the matching commands sent from now on. */
    public CountDownLatch nextAnswered(int times, Predicate<CommandStartedEvent> commands) {
        return watch(times, commands, true);
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        watches.forEach(watch -> watch.started(event));
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        ended(event.getRequestId());
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        ended(event.getRequestId());
    }

    private CountDownLatch watch(int times, Predicate<CommandStartedEvent> commands, boolean whenAnswered) {
        CountDownLatch latch = new CountDownLatch(times);
        watches.add(new Watch(commands, latch, whenAnswered, ConcurrentHashMap.newKeySet()));
        return latch;
    }

    private void ended(int requestId) {
        watches.forEach(watch -> watch.ended(requestId));
        watches.removeIf(Watch::isOver);
    }
}
