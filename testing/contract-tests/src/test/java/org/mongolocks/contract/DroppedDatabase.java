package org.mongolocks.contract;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Drops the contract's database after a test class, as the contract does. */
final class DroppedDatabase implements AfterAllCallback {
    @Override
    public void afterAll(ExtensionContext context) {
        LockContract.dropDatabase();
    }
}
