package org.mongolocks.spi;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;

/**
 * A technique of locking on MongoDB: the service that a strategy author implements. A strategy with one document for
 * each lock extends {@link org.mongolocks.spi.lease.LeaseDocumentStrategy}, which has all programs but the acquisition.
 *
 * <p>A strategy is stateless and thread-safe, has a public constructor without parameters, and is registered as a
 * {@link java.util.ServiceLoader} service of this type. Its programs are pure; the engine adds deadlines, waiting,
 * retries and the handling of lost replies. For one acquisition the engine calls:
 *
 * <ol>
 *   <li>{@link #acquire} until it ends with {@link LockOutcome.Acquired} or the deadline passes, always with the same
 *       owner, also after a fault;
 *   <li>after an acquisition whose outcome is unknown, or that was interrupted or cancelled: {@link #release} with that
 *       owner and no token;
 *   <li>while the lock is held: {@link #renew};
 *   <li>at the end: {@link #release} with the token.
 * </ol>
 * A strategy guarantees: of all owners, at most one is granted a lock at a time; a retry with the same owner finds the
 * same grant; a renewal or release in the name of an owner changes nothing unless that owner has the grant; tokens of
 * later grants are larger; a document without its own format mark is refused with {@link Fault#FOREIGN_FORMAT} and
 * never changed. It concludes success from the owner in a returned document, never from a count; the one exception is
 * {@link #renewAll}, which explains why.
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
     * Returns the mark of the strategy's lock documents ({@link LockFields#FORMAT}). When a client is built, it checks
     * whether its collection has documents with another mark.
     *
     * @return the name of the strategy, a slash and a version that is raised when earlier clients can no longer read
     *     the documents; empty if they have no mark: nothing is checked then
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
     * @param context the owner, the lock, the lease, and what was seen before
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
     * @param contexts one for each lock, sorted by name, all with the same owner, ttl and start. At most one has
     *     {@linkplain AcquireContext#previous() a previous observation}.
     * @return a program; empty, as here, if the strategy grants locks only one by one
     */
    default Optional<Step<MultiLockOutcome>> acquireAll(List<AcquireContext> contexts) {
        return Optional.empty();
    }

    /**
     * Renews a lease: it lasts a whole ttl from now on, and never shorter than before.
     *
     * @param lease the lease as its holder will have it if this attempt succeeds: its end is counted from before the
     *     attempt, so each attempt gets another one
     * @return a program that ends with the result of the renewal
     */
    Step<Renewal> renew(Lease lease);

    /**
     * Renews several leases at once, each as {@link #renew} does. An update that matches only while its owner holds the
     * lock proves by its match that the lock was held: when all updates match, all leases are renewed. When fewer
     * match, the engine renews each lease by itself, to learn which is lost.
     *
     * @param leases the leases, each as for {@link #renew}, of different names; at least two
     * @return a program that ends with true if all were renewed, false if some may not have been; empty, as here, if
     *     the strategy renews leases only one by one
     */
    default Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return Optional.empty();
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
     * Reads a lock.
     *
     * @param name the name of the lock
     * @return a program that ends with the stored state, or empty if the lock was never used or has been cleaned up
     */
    Step<Optional<LockSnapshot>> inspect(LockName name);

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
     * @param query the locks; its limit is that of one command
     * @param floor the least token of each lock, more than zero
     * @return a program that ends with the number of documents that were raised
     */
    Step<Long> raiseTokens(LockQuery query, long floor);
}
