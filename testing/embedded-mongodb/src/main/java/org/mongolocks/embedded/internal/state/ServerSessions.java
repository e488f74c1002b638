package org.mongolocks.embedded.internal.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.UUID;
import java.util.function.Consumer;
import org.mongolocks.embedded.internal.session.Session;
import org.mongolocks.embedded.internal.work.Store;

/** The sessions that clients have used of late. */
public final class ServerSessions {
    // As often as MongoDB looks for sessions that have ended.
    private static final long REFRESH_MILLIS = 300_000;

    private final Store store;
    // In the order of their last use, so that the first is the first to expire.
    private final Map<UUID, Session> sessions = new LinkedHashMap<>();
    private final Map<UUID, Long> ended = new LinkedHashMap<>();

    public ServerSessions(Store store) {
        this.store = store;
    }

    /** The session with this id, which is in use now. */
    public Session use(UUID id, long now) {
        Session known = sessions.remove(id);
        Session session = known == null ? new Session(id, store.session(id)) : known;
        session.usedAt(now);
        sessions.put(id, session);
        ended.remove(id);
        return session;
    }

    public List<Session> all() {
        return List.copyOf(sessions.values());
    }

    /** Notes that a client has ended a session; it is forgotten some minutes later. */
    public void end(UUID id, long now) {
        if (sessions.containsKey(id)) {
            ended.putIfAbsent(id, now);
        }
    }

    /**
     * Removes the sessions that are no longer used.
     *
     * @param timeout for how long a session may be unused, in milliseconds
     */
    public void expire(long now, long timeout, Consumer<Session> onExpired) {
        List<UUID> expired = new ArrayList<>();
        for (Session session : sessions.values()) {
            if (session.lastUsed() + timeout > now) {
                break;
            }
            expired.add(session.id());
        }
        for (Entry<UUID, Long> entry : ended.entrySet()) {
            if (entry.getValue() + REFRESH_MILLIS > now) {
                break;
            }
            expired.add(entry.getKey());
        }
        expired.forEach(id -> forget(id, onExpired));
    }

    private void forget(UUID id, Consumer<Session> onExpired) {
        Session session = sessions.remove(id);
        ended.remove(id);
        store.forget(id);
        if (session != null) {
            onExpired.accept(session);
        }
    }

    /** When a session expires next, if none is used again. */
    public long nextExpiry(long timeout) {
        long next = Long.MAX_VALUE;
        if (!sessions.isEmpty()) {
            next = sessions.values().iterator().next().lastUsed() + timeout;
        }
        return ended.isEmpty() ? next : Math.min(next, ended.values().iterator().next() + REFRESH_MILLIS);
    }

    /** Forgets all that is not stored, as a member does that becomes primary. */
    public void reload() {
        sessions.replaceAll((id, session) -> {
            Session stored = new Session(id, store.session(id));
            stored.usedAt(session.lastUsed());
            return stored;
        });
    }

    /** Adds a session that is known already, as the one that was used last. */
    void add(Session session) {
        sessions.put(session.id(), session);
    }

    public void clear() {
        sessions.clear();
        ended.clear();
    }
}
