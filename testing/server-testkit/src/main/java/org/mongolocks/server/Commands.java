package org.mongolocks.server;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

/** A command listener that records the commands of a client. */
public final class Commands implements CommandListener {
    private static final Set<String> OF_CHANGE_STREAMS = Set.of("aggregate", "getMore", "killCursors", "ping");

    private final List<String> sent = new CopyOnWriteArrayList<>();

    @Override
    public void commandStarted(CommandStartedEvent event) {
        sent.add(event.getCommandName());
    }

    public int count() {
        return sent.size();
    }

    public List<String> since(int before) {
        List<String> all = List.copyOf(sent);
        return all.subList(before, all.size());
    }

    /** Leaves out the commands of the change stream, which come at any time. */
    public List<String> forLocksSince(int before) {
        return since(before).stream()
                .filter(command -> !OF_CHANGE_STREAMS.contains(command))
                .toList();
    }

    public int forLocksDuring(Callable<?> action) throws Exception {
        int before = count();
        action.call();
        return forLocksSince(before).size();
    }
}
