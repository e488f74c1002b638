package org.mongolocks.embedded.internal.command;

import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Park;
import org.mongolocks.embedded.internal.engine.Wait;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.storage.Namespace;

/** Makes commands on whole collections wait for the transactions that use them. */
final class CollectionLocks {
    private CollectionLocks() {}

    /** Returns if no open transaction has used a collection; parks the command otherwise. */
    static void awaitFree(Call call, Namespace namespace) {
        for (Transaction transaction : call.server().transactions().open()) {
            if (transaction.hasUsed(namespace)) {
                throw new Park(Wait.forEvent(() -> transaction.session().transaction() != transaction));
            }
        }
    }
}
