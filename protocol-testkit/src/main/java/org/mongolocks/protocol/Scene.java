package org.mongolocks.protocol;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.mongolocks.HolderInfo;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LastSeen;
import org.mongolocks.spi.Observation;

/** Sets the scene of a test: one lock, one who asks for it, and one who is in the way. */
public final class Scene {
    /** What is locked. The name begins with a dollar sign, as an expression would. */
    public static final LockName NAME = LockName.of("$job");
    /** What is locked besides, where there are several. */
    public static final LockName OTHER_NAME = LockName.of("$job-2");
    /** Who asks. */
    public static final Owner ME = new Owner("me", new UUID(0, 1));
    /** Who is in the way. */
    public static final Owner OTHER = new Owner("other", new UUID(0, 2));
    /** What the one who asks tells people; each text would be an expression. */
    public static final HolderInfo HOLDER =
            new HolderInfo(Optional.of("$host"), OptionalLong.of(7), Optional.of("$thread"), Optional.of("$note"));
    /** The length of every lease here. */
    public static final Duration TTL = Duration.ofSeconds(10);

    private static final long STARTED_NANOS = 1_000_000_000;

    private Scene() {}

    /**
     * Asks for the lock for the first time.
     *
     * @return what the attempt knows
     */
    public static AcquireContext firstAttempt() {
        return new AcquireContext(NAME, ME, TTL, STARTED_NANOS, Optional.empty(), HOLDER);
    }

    /**
     * Asks for {@link #NAME} and {@link #OTHER_NAME} in one step, for the first time.
     *
     * @return what the attempt knows of each
     */
    public static List<AcquireContext> firstAttempts() {
        return List.of(
                firstAttempt(), new AcquireContext(OTHER_NAME, ME, TTL, STARTED_NANOS, Optional.empty(), HOLDER));
    }

    /**
     * Asks for the lock again.
     *
     * @param seen what the attempt before saw
     * @param unchangedFor for how long it has been so
     * @return what the attempt knows
     */
    public static AcquireContext nextAttempt(LockSnapshot seen, Duration unchangedFor) {
        Optional<Observation> previous = Optional.of(new Observation(seen, unchangedFor));
        return new AcquireContext(NAME, ME, TTL, STARTED_NANOS, previous, HOLDER);
    }

    /**
     * Asks for the lock for the first time, as a client that has seen it before.
     *
     * @param lastSeen how it saw the lock
     * @return what the attempt knows
     */
    public static AcquireContext firstAttempt(LastSeen lastSeen) {
        return new AcquireContext(NAME, ME, TTL, STARTED_NANOS, Optional.empty(), lastSeen, HOLDER);
    }

    /**
     * Expects a grant to {@link #ME}.
     *
     * @param token its token
     * @return the outcome, with a lease that is counted from before the attempt
     */
    public static LockOutcome acquired(long token) {
        return new LockOutcome.Acquired(lease(token));
    }

    /**
     * Holds the lock for {@link #ME}.
     *
     * @param token the token of the grant
     * @return the lease
     */
    public static Lease lease(long token) {
        return lease(NAME, token);
    }

    /**
     * Holds a lock for {@link #ME}.
     *
     * @param name what is locked
     * @param token the token of the grant
     * @return the lease
     */
    public static Lease lease(LockName name, long token) {
        return new Lease(name, ME, token, TTL, STARTED_NANOS + TTL.toNanos());
    }
}
