package org.mongolocks.contract;

import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/** Tells when a client sends commands, and when they are answered. */
final class CommandLatch implements CommandListener {
    private final Set<Integer> unanswered = ConcurrentHashMap.newKeySet();
    private volatile Watch watch = new Watch(command -> false, new CountDownLatch(0), false);

    private record Watch(Predicate<CommandStartedEvent> commands, CountDownLatch latch, boolean whenAnswered) {}

    /** Counts down when a command of a kind is sent from now on. */
    CountDownLatch nextSent(int times, Predicate<CommandStartedEvent> commands) {
        return watch(times, commands, false);
    }

    /** Counts down when a command of a kind that is sent from now on is answered. */
    CountDownLatch nextAnswered(int times, Predicate<CommandStartedEvent> commands) {
        return watch(times, commands, true);
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        Watch current = watch;
        if (current.latch().getCount() == 0 || !current.commands().test(event)) {
            return;
        }
        if (current.whenAnswered()) {
            unanswered.add(event.getRequestId());
        } else {
            current.latch().countDown();
        }
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
        watch = new Watch(commands, latch, whenAnswered);
        return latch;
    }

    private void ended(int requestId) {
        if (unanswered.remove(requestId)) {
            watch.latch().countDown();
        }
    }
}
