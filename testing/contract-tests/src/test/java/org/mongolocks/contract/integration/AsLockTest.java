package org.mongolocks.contract.integration;

class AsLockTest extends IntegrationContract {
    @Override
    protected LockIntegration integration() {
        return new AsLockIntegration();
    }
}
