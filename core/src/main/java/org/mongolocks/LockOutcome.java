package org.mongolocks;

import com.mongodb.MongoException;

/** The result of an attempt to acquire a lock. Contention is an outcome, not an error. */
public sealed interface LockOutcome {

    /**
     * The lock was acquired: the caller holds it until the lease ends, is released or lost.
     *
     * @param lease the grant
     */
    record Acquired(Lease lease) implements LockOutcome {}

    /**
     * Another owner holds the lock. Nothing is held; the caller may try again.
     *
     * @param holder the lock as the server last showed it
     */
    record Contended(LockSnapshot holder) implements LockOutcome {}

    /**
     * The outcome is unknown: replies were lost, and so was the reply to the compensating release. The lock may be held
     * in the caller's name until the ttl has passed. Treat it as not acquired.
     *
     * @param owner the owner in whose name the lock may be held
     * @param cause the fault of the lost reply
     */
    record Indeterminate(Owner owner, MongoException cause) implements LockOutcome {}
}
