package org.mongolocks.protocol;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.mongolocks.HolderInfo;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Observation;
import org.mongolocks.spi.AcquireContext.Waiter;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/** The fixture of a test: one lock, the owner that asks for it, and another owner. */
public final class ProtocolFixture {
    /** The name of the lock. It begins with a dollar sign, as an expression would. */
    public static final LockName NAME = LockName.of("$job");
    /** The name of a second lock, for tests with several. */
    public static final LockName OTHER_NAME = LockName.of("$job-2");
    /** The owner that asks. */
    public static final Owner ME = new Owner("me", new UUID(0, 1));
    /** The other owner. */
    public static final Owner OTHER = new Owner("other", new UUID(0, 2));
    /** The holder information of the owner that asks; each text would be an expression. */
    public static final HolderInfo HOLDER =
            HolderInfo.ofStored(BsonDocument.parse("{host: '$host', pid: 7, thread: '$thread', note: '$note'}"));
    /** The ttl of every lease of the fixture. */
    public static final Duration TTL = Duration.ofSeconds(10);
    /** The number of a waiter. */
    public static final long WAITER = 17;

    private static final long STARTED_NANOS = 1_000_000_000;

    private ProtocolFixture() {}

    /**
     * Returns the input of a first attempt.
     *
     * @return the input
     */
    public static AcquireContext firstAttempt() {
        return attemptOf(NAME);
    }

    /**
     * Returns the inputs of a first attempt for {@link #NAME} and {@link #OTHER_NAME} in one step.
     *
     * @return the input for each lock
     */
    public static List<AcquireContext> firstAttempts() {
        return List.of(firstAttempt(), attemptOf(OTHER_NAME));
    }

    /**
     * Returns the input of a later attempt.
     *
     * @param seen the lock as the previous attempt saw it
     * @param unchangedFor for how long the lock has not changed
     * @return the input
     */
    public static AcquireContext nextAttempt(LockSnapshot seen, Duration unchangedFor) {
        return firstAttempt(LastKnownState.HELD).previous(Optional.of(new Observation(seen, unchangedFor)));
    }

    /**
     * Returns the input of a first attempt by a client that has seen the lock before.
     *
     * @param lastSeen how it saw the lock
     * @return the input
     */
    public static AcquireContext firstAttempt(LastKnownState lastSeen) {
        return firstAttempt().lastSeen(lastSeen);
    }

    /**
     * Returns the input of an attempt by a waiter that last saw the lock held.
     *
     * @param entry what the attempt does with the entry of the waiter if it does not acquire the lock
     * @return the input
     */
    public static AcquireContext attemptOfWaiter(Entry entry) {
        return firstAttempt(LastKnownState.HELD).waiter(Optional.of(new Waiter(WAITER, entry)));
    }

    private static AcquireContext attemptOf(LockName name) {
        return AcquireContext.of(name, ME, TTL, STARTED_NANOS).holderInfo(HOLDER);
    }

    /**
     * Returns the outcome of a grant to {@link #ME}.
     *
     * @param token its token
     * @return the outcome, with a lease that is counted from before the attempt
     */
    public static LockOutcome acquired(long token) {
        return new LockOutcome.Acquired(lease(token));
    }

    /**
     * Returns a lease of {@link #ME} on {@link #NAME}.
     *
     * @param token the token of the grant
     * @return the lease
     */
    public static Lease lease(long token) {
        return lease(NAME, token);
    }

    /**
     * Returns a lease of {@link #ME}.
     *
     * @param name the name of the lock
     * @param token the token of the grant
     * @return the lease
     */
    public static Lease lease(LockName name, long token) {
        return new Lease(name, ME, token, TTL, STARTED_NANOS + TTL.toNanos());
    }
}
