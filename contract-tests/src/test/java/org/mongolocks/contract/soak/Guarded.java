package org.mongolocks.contract.soak;

import org.mongolocks.LockName;

/**
 * Is one lock with what it protects.
 *
 * @param name what is locked
 * @param ledger judges its grants
 * @param data what it protects
 */
record Guarded(LockName name, Ledger ledger, ProtectedData data) {}
