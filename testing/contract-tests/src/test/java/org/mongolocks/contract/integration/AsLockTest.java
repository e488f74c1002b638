package org.mongolocks.contract.integration;

/** The contract of integrations, on the lock of {@code java.util.concurrent}. */
class AsLockTest extends IntegrationContract {
    @Override
    protected LockIntegration integration() {
        return new AsLockIntegration();
    }
}
