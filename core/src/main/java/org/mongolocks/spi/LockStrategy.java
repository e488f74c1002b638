package org.mongolocks.spi;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.Reply.Fault;

/**
 * A technique of locking on MongoDB: the service that a strategy author implements. A strategy with one document for
 * each lock extends {@link org.mongolocks.spi.lease.LeaseDocumentStrategy}, which has all programs but the acquisition.
 *
 * <p>A strategy is stateless and thread-safe, has a public constructor without parameters, and is registered as a
 * {@link java.util.ServiceLoader} service of this type. Its programs are pure; the engine adds deadlines, waiting,
 * retries and the handling of lost replies. For one acquisition the engine calls:
 *
 * <ol>
 *   <li>{@link #acquire}, always with the same owner, also after a fault, until it ends with
 *       {@link LockOutcome.Acquired}, the deadline passes, the retries are exhausted, or a fault shows that a retry
 *       cannot help; between attempts perhaps {@link #inspect};
 *   <li>whenever an attempt may have been granted that the caller does not get: {@link #release} with that owner and no
 *       token;
 *   <li>while the lock is held: {@link #renew};
 *   <li>at the end: {@link #release} with the token, {@link #releaseAll}, or {@link #releaseAfter}.
 * </ol>
 *
 * <p>A strategy guarantees:
 *
 * <ul>
 *   <li>Of all owners, at most one is granted a lock at a time. Tokens of later grants are larger.
 *   <li>A retry with the same owner finds the same grant.
 *   <li>A renewal or release in the name of an owner changes nothing unless that owner has the grant.
 *   <li>A document that lacks the strategy's format mark is refused with {@link Fault#FOREIGN_FORMAT}, never changed.
 * </ul>
 *
 * <p>A strategy recognizes success by the owner in a returned document,
 * never by a count; the exceptions are {@link #renewAll}, which explains why, and {@link #releaseAll}, whose result
 * grants nothing.
 *
 * <p>A program ends with {@link Step#fail} for each fault that it does not interpret.
 */
public interface LockStrategy {
    /**
     * Returns the name by which users select the strategy.
     *
     * @return lower-case letters, digits and hyphens, for example {@code findandmodify-counter}
     */
    String name();

    /**
     * Returns the mark of the strategy's lock documents ({@link LockFields#FORMAT}). Its programs end with a
     * {@link ForeignFormatException} if the document of a lock has another one.
     *
     * @return the name of the strategy, a slash and a version that is raised when earlier clients can no longer read
     *     the documents; empty if they have no mark
     */
    Optional<String> format();

    /**
     * Returns the capabilities and needs of the strategy.
     *
     * @return its traits
     */
    Set<Trait> traits();

    /**
     * Returns the collections that the strategy's operations name.
     *
     * @return its schema
     */
    LockSchema schema();

    /**
     * Attempts once to acquire a lock.
     *
     * @param context the owner, the lock, the lease, and what earlier attempts saw
     * @return a program that ends with {@link LockOutcome.Acquired} or {@link LockOutcome.Contended}
     */
    Step<LockOutcome> acquire(AcquireContext context);

    /**
     * Attempts once to acquire several locks, all or none: either all are granted to the owner, or nothing has changed.
     * Implemented by strategies with the trait {@link Trait#MULTI_LOCK}. For the other strategies the engine acquires
     * one lock after another, in the order of their names, and releases those it holds when it does not get the next
     * one. What {@link #acquire} guarantees for one lock holds for all: a retry with the same owner finds the same
     * grants, and {@link #release} releases each of them.
     *
     * @param contexts one for each lock, sorted by name, all with the same owner, ttl and {@code startedNanos}. At most
     *     one has {@linkplain AcquireContext#previous() a previous observation}.
     * @return a program; empty, as here, if the strategy grants locks only one by one
     */
    default Optional<Step<MultiLockOutcome>> acquireAll(List<AcquireContext> contexts) {
        return Optional.empty();
    }

    /**
     * Renews a lease: it lasts a whole ttl from now on, and never ends earlier than before. The renewals of one grant may
     * have different ttls, and may be executed in another order than they were sent.
     *
     * @param lease the renewed lease before the skew margin is subtracted, with the ttl of this renewal. The engine
     *     passes a new lease for each attempt, because its end is computed from the time before that attempt.
     * @return a program that ends with the result of the renewal
     */
    Step<Renewal> renew(Lease lease);

    /**
     * Renews several leases at once, each as {@link #renew} does. Each filter matches only while the owner holds the
     * lock, so a match shows that the lock was still held: when all updates match, all leases are renewed. When fewer
     * match, the engine renews each lease separately, to learn which is lost.
     *
     * @param leases the leases, each as for {@link #renew}, of different names; at least two
     * @return a program that ends with true if all were renewed, false if some may not have been; empty, as here, if
     *     the strategy renews leases only one by one
     */
    default Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return Optional.empty();
    }

    /**
     * Returns which leases are not renewed after {@link #renewAll} has failed, if its failure shows that all others
     * are. A router reports the errors of one shard, for each update that it sent there, beside the success of others.
     *
     * @param leases the leases that were to be renewed
     * @param failure the failure with which the program ended
     * @return the leases whose update failed; empty, as here, if any of them may be renewed or not
     */
    default Optional<List<Lease>> notRenewed(List<Lease> leases, Reply.Failed failure) {
        return Optional.empty();
    }

    /**
     * Reads why a grant is no longer stored, after a release that matched nothing although the lease had not ended.
     *
     * @param lease the grant
     * @return a program that ends with the reason; as here, {@link LossReason#TAKEN_OVER} without a read
     */
    default Step<LossReason> lossReason(Lease lease) {
        return Step.done(LossReason.TAKEN_OVER);
    }

    /**
     * Releases a lock. A repeated or late call changes nothing.
     *
     * @param name the name of the lock
     * @param owner the holder
     * @param fencingToken the token of the grant; empty when the reply to the acquisition was lost
     * @return a program that ends with true if the lock was held by that owner until now
     */
    Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken);

    /**
     * Ends the grant of an owner, and keeps the lock held by no owner for a while: no owner acquires it before, and the
     * former holder can neither renew nor release it. The document stores {@link Owner#storedAfterRelease()}, shows the
     * new end of the lease, and loses the field {@code holder}, which reports the change to waiters. A repeated or late
     * call changes nothing.
     *
     * @param lease the grant, with the time for which the lock stays held, counted from when the server executes the
     *     command, as its ttl. The engine passes a new lease for each attempt, which starts before that attempt.
     * @return a program that ends with true if the lock was held by that owner until now
     */
    Step<Boolean> releaseAfter(Lease lease);

    /**
     * Releases several locks at once, each as {@link #release} does with the token of its grant. The engine calls it
     * when the client is closed, and repeats it after a fault.
     *
     * @param leases the leases, of different names; at least two
     * @return a program that ends with true if all were held until now, and with false if some were not; empty, as
     *     here, if the strategy releases locks only one by one
     */
    default Optional<Step<Boolean>> releaseAll(List<Lease> leases) {
        return Optional.empty();
    }

    /**
     * Reads a lock.
     *
     * @param name the name of the lock
     * @return a program that ends with the stored state, or empty if the lock was never used or has been cleaned up
     */
    Step<Optional<LockSnapshot>> inspect(LockName name);

    /**
     * Reads a lock for a waiter, which may be in its {@linkplain #waitingList list}. The engine calls it for a waiter that
     * last saw the lock held, unless the strategy keeps no list or is {@link Trait#CLOCK_FREE}. Here it shows no turn.
     *
     * @param name the name of the lock
     * @param number the number of the waiter
     * @return a program that ends with the lock, which may be free, and the turn of the waiter, or empty if the lock was
     *     never used or has been cleaned up
     */
    default Step<Optional<LockOutcome.Contended>> look(LockName name, long number) {
        return inspect(name).andThen(seen -> Step.done(seen.map(LockOutcome.Contended::new)));
    }

    /**
     * Lists locks.
     *
     * @param query the filter and the cursor
     * @return a program that ends with one page
     */
    Step<LockPage> list(LockQuery query);

    /**
     * Force-releases a lock, for an operator, and makes the next token larger than the holder's. It does so only if
     * nothing has changed since the operator read the lock.
     *
     * @param seen the lock as the operator saw it
     * @return a program that ends with true if the lock was released, false if it has changed since
     */
    Step<Boolean> forceRelease(LockSnapshot seen);

    /**
     * Raises tokens, for an operator: after it every lock that the query selects, and that has a document, grants
     * tokens larger than {@code floor}. A held lock is force-released, because the token of its holder is too small. A
     * document with a larger token, or of another format, is not changed. A repeated call changes nothing.
     *
     * @param query selects the locks; its limit is the number of documents for each command, not in total
     * @param floor the value to which smaller stored tokens are raised, more than zero; the next grant gets a larger
     *     one
     * @return a program that ends with the number of documents that were raised
     */
    Step<Long> raiseTokens(LockQuery query, long floor);

    /**
     * Returns whether the strategy keeps a list of waiters in its lock documents, first come, first served. It needs
     * MongoDB 4.4 or newer: on another server the engine passes no waiter to {@link #acquire}.
     *
     * <ul>
     *   <li>{@link LockFields#WAITING} has the number of each waiter. An attempt with an {@link AcquireContext#waiter} that
     *       does not acquire the lock adds, keeps or removes its number, and its outcome shows the position.
     *   <li>An attempt is granted a free lock if no waiter is before it, or if the lock has been free for
     *       {@link #CLAIM_TIME} for each waiter before it, of which {@link #MAX_CLAIMS} count. The command that grants the
     *       lock decides that, by the document and the server's clock. The grant removes the number, and
     *       moves up to {@link #MAX_CLAIMS} before it to {@link LockFields#PASSED}: their owners may have died, or be late. An
     *       attempt of one of these counts as the first, and moves it back to the front if it does not acquire the lock.
     *   <li>{@link LockFields#NEXT} has the first {@link #NOTIFIED_WAITERS} numbers while the lock is held. Every release,
     *       also a forced one, renames it to {@link LockFields#TURN}, by plain operators. The change event of the release
     *       is sent only to the clients with one of these numbers. So the number of commands for each grant does not grow
     *       with the number of waiters.
     * </ul>
     *
     * The list decides the order, never exclusion: a number that was removed by mistake costs a waiter its position.
     *
     * @return the name of the field that every grant, renewal and release increments; empty, as here, if the strategy
     *     keeps no such list: then every client attempts after each release, and there is no fair order
     */
    default Optional<String> waitingList() {
        return Optional.empty();
    }

    /**
     * Removes a waiter from the list of a lock. If the lock is free, the change event notifies the next waiter. A strategy
     * without a {@link #waitingList} is never asked to.
     *
     * @param name the name of the lock
     * @param number the number of the waiter
     * @return a program that ends with true if the waiter was in the list until now
     */
    default Step<Boolean> unregister(LockName name, long number) {
        return Step.done(false);
    }

    /** How long a waiter has for its claim before the next one may acquire the lock. */
    Duration CLAIM_TIME = Duration.ofMillis(250);
    /** So many waiters before another one are given that time, together; the others are passed over with them. */
    int MAX_CLAIMS = 8;
    /** How many waiters are notified of a release. */
    int NOTIFIED_WAITERS = 4;

    /**
     * The turn of a waiter that is in the list of a lock.
     *
     * @param position how many waiters are before it
     * @param after how long after the reply an attempt is granted the lock if nothing changes meanwhile: the rest of the
     *     lease, and the time for the claims of those before
     * @param freeFor how long the lock had been free at the reply; zero if it was held, or if that is not known
     */
    record Turn(int position, Duration after, Duration freeFor) {
        /**
         * Returns the turn of a waiter for a lock whose holder is stored.
         *
         * @param position how many waiters are before it
         * @param left the rest of the lease; negative if it has ended
         * @return the turn
         */
        public static Turn ofHeld(int position, Duration left) {
            return new Turn(position, notNegative(left.plus(claims(position))), Duration.ZERO);
        }

        /**
         * Returns the turn of a waiter for a free lock.
         *
         * @param position how many waiters are before it
         * @param freeFor how long the lock has been free; negative if the server's clock was set back since the release
         * @return the turn
         */
        public static Turn ofFree(int position, Duration freeFor) {
            return new Turn(position, notNegative(claims(position).minus(freeFor.abs())), notNegative(freeFor));
        }

        private static Duration notNegative(Duration time) {
            return time.isNegative() ? Duration.ZERO : time;
        }

        private static Duration claims(int position) {
            return CLAIM_TIME.multipliedBy(Math.min(position, MAX_CLAIMS));
        }
    }

    /** A capability or a need of a strategy. Needs are checked when a client is built. */
    enum Trait {
        /**
         * Judges and sets expiry by the server's clock alone, and cleans up unused lock documents. Needs MongoDB 4.4 or
         * newer.
         */
        SERVER_CLOCK,
        /**
         * Judges expiry by observation: no clock is compared with another, and the server needs no update pipelines.
         * Keeps the documents of all locks.
         */
        CLOCK_FREE,
        /**
         * Grants fencing tokens that strictly grow over every grant, release, takeover, forced release and clean-up.
         */
        STRICT_FENCING,
        /** Needs transactions, and so a replica set or a sharded cluster. */
        NEEDS_TRANSACTIONS,
        /**
         * Grants several locks in one step, all or none: nothing is held while one of them is awaited. With the other
         * strategies several locks are acquired one after another; see {@link LockStrategy#acquireAll}.
         */
        MULTI_LOCK
    }

    /** The result of a renewal, when the server gave a definite reply. */
    sealed interface Renewal {

        /** The lease was extended: it lasts a whole ttl, counted from before the renewal was sent. */
        record Renewed() implements Renewal {}

        /**
         * The lock is no longer held.
         *
         * @param reason why it was lost
         */
        record Lost(LossReason reason) implements Renewal {}
    }

    /** The result of an attempt to acquire several locks in one step: all of them, or none. */
    sealed interface MultiLockOutcome {

        /**
         * The owner that asked holds all the locks.
         *
         * @param leases the grants, in the order of the request
         */
        record Acquired(List<Lease> leases) implements MultiLockOutcome {
            /**
             * Copies the grants.
             *
             * @param leases the grants
             */
            public Acquired {
                leases = List.copyOf(leases);
            }
        }

        /**
         * Another owner holds one of the locks, and the owner that asked holds none.
         *
         * @param lock the first lock that is held, as the server showed it; its name identifies the lock
         * @param turn the turn of the waiter for that lock; empty if it is not in the list
         */
        record Contended(LockSnapshot lock, Optional<Turn> turn) implements MultiLockOutcome {
            /**
             * Creates the outcome of an attempt without a waiter in a list.
             *
             * @param lock the first lock that is held
             */
            public Contended(LockSnapshot lock) {
                this(lock, Optional.empty());
            }

            /**
             * Returns the same outcome for the lock that is held alone.
             *
             * @return the outcome
             */
            public LockOutcome.Contended ofOne() {
                return new LockOutcome.Contended(lock, turn);
            }
        }
    }

    /** The result of an attempt to acquire a lock. Contention is an outcome, not an error. */
    sealed interface LockOutcome {

        /**
         * The lock was acquired: the caller holds it until the lease ends, is released or lost.
         *
         * @param lease the grant
         * @param waiters how many waiters are in the list after the grant; only the first {@link #NOTIFIED_WAITERS} may be
         *     counted
         * @param freeFor how long the lock had been free since its newest release; zero if that is not known
         */
        record Acquired(Lease lease, int waiters, Duration freeFor) implements LockOutcome {
            /**
             * Creates the outcome of an attempt that shows nothing of the waiters.
             *
             * @param lease the grant
             */
            public Acquired(Lease lease) {
                this(lease, 0, Duration.ZERO);
            }
        }

        /**
         * The lock was not acquired: another owner holds it, is about to acquire it, or waits before this request. The
         * caller holds nothing and may try again.
         *
         * @param lock the last known state of the lock; it has no holder if the lock is free and others wait for it
         * @param turn the turn of the waiter; empty if it is not in the list
         */
        record Contended(LockSnapshot lock, Optional<Turn> turn) implements LockOutcome {
            /**
             * Creates the outcome of an attempt without a waiter in a list.
             *
             * @param lock the last known state of the lock
             */
            public Contended(LockSnapshot lock) {
                this(lock, Optional.empty());
            }
        }

        /**
         * The outcome is unknown: the server did not answer an attempt, and the release that undoes the attempt got no
         * answer either, or the server may execute the attempt after it. The lock may be held in the caller's name for
         * up to one ttl after the server executed the last attempt. Treat it as not acquired.
         *
         * @param owner the owner in whose name the lock may be held
         * @param cause the exception of the attempt or release that got no reply
         */
        record Indeterminate(Owner owner, MongoException cause) implements LockOutcome {}
    }
}
