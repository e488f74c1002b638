package org.mongolocks.benchmarks.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.result.Client;

/** A lock under test: a strategy with one of the two clients, a baseline, or another library. */
public interface LockImplementation extends AutoCloseable {
    /** Returns the id of the contender. */
    String id();

    /** Returns the client; other libraries count as synchronous. */
    default Client client() {
        return Client.SYNC;
    }

    /** Opens a participant, with the resources of a separate process. The caller closes it. */
    BenchmarkParticipant open() throws InterruptedException;

    /** Returns how a request waits for the lock. */
    WaitMode waiting();

    /**
     * Returns the number of commands sent to MongoDB by all its participants so far; empty if it does not use this
     * MongoDB.
     */
    default OptionalLong commands() {
        return OptionalLong.empty();
    }

    /** Returns the raw commands that such a lock has to send; empty if it does not use this MongoDB. */
    default Optional<Baseline> baseline() {
        return Optional.empty();
    }

    @Override
    void close();

    /** A participant of a benchmark: acquires locks like a separate process. Thread-safe. */
    public interface BenchmarkParticipant extends AutoCloseable {
        /**
         * Acquires a lock and waits up to the wait time of the request; makes one attempt if that is zero.
         *
         * @return the grant, or empty if another owner held the lock the whole time
         */
        Optional<AcquiredLock> acquire(LockRequest request) throws InterruptedException;

        @Override
        void close();
    }

    /**
     * The way in which a request waits for a lock.
     *
     * @param isOffered whether waiting is supported at all
     * @param period how long a release may go unnoticed because the waiter sleeps; zero if the waiter is notified
     */
    public record WaitMode(boolean isOffered, Duration period) {
        /** No waiting: each request makes one attempt. */
        public static final WaitMode NONE = new WaitMode(false, Duration.ZERO);
        /** The waiter is notified of a release. */
        public static final WaitMode NOTIFIED = new WaitMode(true, Duration.ZERO);

        /** The waiter polls. */
        public static WaitMode polling(Duration period) {
            return new WaitMode(true, period);
        }
    }
}
