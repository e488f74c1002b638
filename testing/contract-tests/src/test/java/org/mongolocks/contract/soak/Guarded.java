package org.mongolocks.contract.soak;

import org.mongolocks.LockName;

/**
 * A lock with the data that it protects.
 *
 * @param name the name of the lock
 * @param ledger checks its grants
 * @param data the protected data
 */
record Guarded(LockName name, Ledger ledger, ProtectedData data) {}
