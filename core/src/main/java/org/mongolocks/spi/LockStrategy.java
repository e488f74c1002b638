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
 * Is a technique of locking on MongoDB: the service that a strategy author writes.
 *
 * <p>A strategy is stateless and thread-safe, has a public constructor without parameters, and is registered as a
 * {@link java.util.ServiceLoader} service of this type. Its programs are pure; the engine adds deadlines, waiting,
 * retries and the settling of lost replies. It calls, for one acquisition:
 *
 * <ol>
 *   <li>{@link #acquire} until it says {@link LockOutcome.Acquired} or the deadline passes, always with the same owner,
 *       also after a fault;
 *   <li>after an acquisition that ended in doubt, or that was interrupted or cancelled: {@link #release} with that owner
 *       and no token;
 *   <li>while the lock is held: {@link #renew};
 *   <li>at the end: {@link #release} with the token.
 * </ol>
 *
 * What a strategy promises: of all owners, at most one is granted a lock at a time; asking again with the same owner
 * finds the same grant; a renewal or release in the name of an owner changes nothing unless that owner has the grant;
 * tokens of later grants are larger; a document that is not marked as its own is refused with
 * {@link Fault#FOREIGN_FORMAT} and never changed. It concludes success from the owner in a returned document, never from a count;
 * the one exception is {@link #renewAll}, which says why.
 *
 * <p>A program ends with {@link Step#fail} for each fault that it gives no meaning to.
 */
public interface LockStrategy {
    /**
     * Gives the name that users choose the strategy by.
     *
     * @return lower-case letters, digits and hyphens, for example {@code findandmodify-counter}
     */
    String name();

    /**
     * Gives the mark of the strategy's lock documents ({@link LockFields#FORMAT}). A client that is built looks whether
     * its collection has documents of another.
     *
     * @return the name of the strategy, a slash and a version; empty, as here, if the documents have no mark: nothing is
     *     looked at then
     */
    default Optional<String> format() {
        return Optional.empty();
    }

    /**
     * Says what the strategy gives and needs.
     *
     * @return its traits
     */
    Set<Trait> traits();

    /**
     * Lists the collections that the strategy's operations name.
     *
     * @return its schema
     */
    LockSchema schema();

    /**
     * Asks for a lock once.
     *
     * @param context who asks for what, and what was seen before
     * @return a program that ends with {@link LockOutcome.Acquired} or {@link LockOutcome.Contended}
     */
    Step<LockOutcome> acquire(AcquireContext context);

    /**
     * Asks once for several locks, all or none: either every one is granted to the owner, or nothing has changed. A
     * strategy with the trait {@link Trait#MULTI_LOCK} can. With one that cannot, the engine acquires one lock after
     * another, in the order of their names, and gives back what it has when it does not get the next. What
     * {@link #acquire} promises for one lock holds for all: asking again with the same owner finds the same grants, and
     * {@link #release} takes each of them back.
     *
     * @param contexts who asks for what: one for each lock, sorted by name, all with the same owner, ttl and start. At
     *     most one has {@linkplain AcquireContext#previous() something that was seen before}.
     * @return a program; empty, as here, if the strategy grants one by one only
     */
    default Optional<Step<SetOutcome>> acquireAll(List<AcquireContext> contexts) {
        return Optional.empty();
    }

    /**
     * Makes a lease last longer: a whole ttl from now on, and never shorter than before.
     *
     * @param lease the lease as it will be for its holder if this attempt succeeds: its end is counted from before the
     *     attempt, and so is another one for each attempt
     * @return a program that ends with what the server said
     */
    Step<Renewal> renew(Lease lease);

    /**
     * Makes several leases last longer at once, each as {@link #renew} does. What matches only while its owner holds it
     * was held if it matched: when all of them match, all are renewed. When fewer do, the engine asks for each by itself,
     * to learn which.
     *
     * @param leases the leases, each as {@link #renew} gets it, of different names; two at least
     * @return a program that ends with true if every one was renewed, false if some may not have been; empty, as here,
     *     if the strategy renews one by one only
     */
    default Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return Optional.empty();
    }

    /**
     * Gives a lock back. Asked again, or by a late holder, it changes nothing.
     *
     * @param name what is locked
     * @param owner who held it
     * @param fencingToken the token of the grant; empty when the answer to the acquisition was lost
     * @return a program that ends with true if the lock was held by that owner until now
     */
    Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken);

    /**
     * Looks at a lock.
     *
     * @param name what is locked
     * @return a program that ends with what is stored, or empty if the lock was never used or has been cleaned up
     */
    Step<Optional<LockSnapshot>> inspect(LockName name);

    /**
     * Lists locks.
     *
     * @param query which locks
     * @return a program that ends with one page; as here, one command that reads the fields of {@link LockFields}
     */
    default Step<LockPage> list(LockQuery query) {
        return new LeasePrograms(name(), LeaseDocument.marked(format().orElse(name()))).list(query);
    }

    /**
     * Takes a lock from its holder, for an operator, and makes the next token larger than the holder's. It happens only
     * if nothing has changed since the operator looked.
     *
     * @param seen what the operator saw
     * @return a program that ends with true if the lock was freed, false if it has changed since
     */
    Step<Boolean> forceRelease(LockSnapshot seen);

    /**
     * Raises tokens, for an operator: after it every lock that the query selects, and that has a document, grants larger
     * tokens than the floor. A lock that is held is forced free, because its holder has a token that is too small. What has
     * a larger token already is left as it is; so is a document of another format. Asked again, it changes nothing.
     *
     * @param query which locks; its limit is that of one command
     * @param floor the token that each lock has at least, more than zero
     * @return a program that ends with how many documents were raised; as here, for a strategy whose tokens are counted in
     *     {@link LockFields#FENCE} of the document
     */
    default Step<Long> raiseTokens(LockQuery query, long floor) {
        return new LeasePrograms(name(), LeaseDocument.marked(format().orElse(name()))).raiseTokens(query, floor);
    }
}
