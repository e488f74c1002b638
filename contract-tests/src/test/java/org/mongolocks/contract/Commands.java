package org.mongolocks.contract;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes the commands that a client sends. */
final class Commands implements CommandListener {
    private final List<String> sent = new CopyOnWriteArrayList<>();

    @Override
    public void commandStarted(CommandStartedEvent event) {
        sent.add(event.getCommandName());
    }

    int count() {
        return sent.size();
    }

    List<String> since(int before) {
        return sent.subList(before, sent.size());
    }

    int during(Callable<?> action) throws Exception {
        int before = count();
        action.call();
        return count() - before;
    }
}
