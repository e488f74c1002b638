package org.mongolocks.embedded.internal.state;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.embedded.internal.session.Session;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.work.LockTable;

/** A copy of what a server does not store: its sessions, with their open transactions. */
public final class ServerMemory {
    private final List<Session> sessions = new ArrayList<>();
    private final LockTable locks = new LockTable();

    private ServerMemory() {}

    /** Copies the sessions of a server. */
    public static ServerMemory of(ServerSessions sessions, LockTable locks) {
        ServerMemory memory = new ServerMemory();
        for (Session session : sessions.all()) {
            memory.sessions.add(copy(session, locks, memory.locks));
        }
        return memory;
    }

    /** Puts them back in the place of all others. */
    public void resume(ServerSessions current, Transactions transactions, LockTable currentLocks) {
        transactions.forgetAll();
        current.clear();
        currentLocks.clear();
        for (Session session : sessions) {
            Session copy = copy(session, locks, currentLocks);
            current.add(copy);
            transactions.add(copy.transaction());
        }
    }

    private static Session copy(Session session, LockTable from, LockTable to) {
        Session copy = session.copy();
        Transaction transaction = session.transaction();
        Transaction same = copy.transaction();
        if (transaction != null && same != null) {
            from.copy(transaction, same, to);
        }
        return copy;
    }

    /** The sessions, in the order of their last use. */
    public List<Session> sessions() {
        return sessions;
    }
}
