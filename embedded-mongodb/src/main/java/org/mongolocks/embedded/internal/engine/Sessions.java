package org.mongolocks.embedded.internal.engine;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.session.Session;
import org.mongolocks.embedded.internal.work.Store;

/** The sessions that clients have used of late. */
public final class Sessions {
    private final Store store;
    // In the order of their last use, so that the first is the first to expire.
    private final Map<UUID, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

    Sessions(Store store) {
        this.store = store;
    }

    /** The session with this id, which is in use now. */
    Session use(UUID id, long now) {
        Session session = sessions.computeIfAbsent(id, unknown -> new Session(unknown, store.session(unknown)));
        session.usedAt(now);
        return session;
    }

    public @Nullable Session find(UUID id) {
        return sessions.get(id);
    }

    /** Forgets the sessions that nobody has used since a time. */
    void expire(long usedBefore, Consumer<Session> onExpired) {
        Iterator<Session> oldest = sessions.values().iterator();
        while (oldest.hasNext()) {
            Session session = oldest.next();
            if (session.lastUsed() > usedBefore) {
                return;
            }
            oldest.remove();
            store.forget(session.id());
            onExpired.accept(session);
        }
    }

    /** When the session that was unused longest was used last. */
    long oldestUse() {
        return sessions.isEmpty()
                ? Wait.NEVER
                : sessions.values().iterator().next().lastUsed();
    }

    /** Forgets a session, and what was done in it. */
    public @Nullable Session end(UUID id) {
        store.forget(id);
        return sessions.remove(id);
    }

    void clear() {
        sessions.clear();
    }
}
