package org.mongolocks.contract.broken;

import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.contract.adapter.BlockingLocks;

/** A client with a mistake in how it lists locks. */
final class ListsWithAMistake extends ForwardingLocks {
    private final OperatorMistake mistake;

    ListsWithAMistake(BlockingLocks locks, OperatorMistake mistake) {
        super(locks);
        this.mistake = mistake;
    }

    @Override
    public LockPage list(LockQuery query) throws InterruptedException {
        return mistake.listed(super.list(mistake.asked(query)));
    }
}
