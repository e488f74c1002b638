package org.mongolocks.contract;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Has a test leave as little behind as the contract does, in the same database. */
final class DroppedDatabase implements AfterAllCallback {
    @Override
    public void afterAll(ExtensionContext context) {
        LockContract.dropDatabase();
    }
}
