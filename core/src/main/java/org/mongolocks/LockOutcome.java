package org.mongolocks;

import com.mongodb.MongoException;

/** Tells how an attempt to acquire a lock ended. That somebody else holds it is an outcome, not an error. */
public sealed interface LockOutcome {

    /**
     * The lock is held by the caller.
     *
     * @param lease the grant
     */
    record Acquired(Lease lease) implements LockOutcome {}

    /**
     * Somebody else holds the lock.
     *
     * @param holder what the server said about it
     */
    record Contended(LockSnapshot holder) implements LockOutcome {}

    /**
     * Nobody knows: replies were lost, and so was the attempt to take the question back. The lock may be held in the
     * caller's name until the ttl has passed. Treat it as not acquired.
     *
     * @param owner the owner in whose name the lock may be held
     * @param cause the fault that hid the answer
     */
    record Indeterminate(Owner owner, MongoException cause) implements LockOutcome {}
}
