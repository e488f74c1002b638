package org.mongolocks.spring.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The actuator endpoint {@code locks}: lists and shows the stored locks, and force-releases one that has not changed
 * since it was seen. It is off unless {@code management.endpoint.locks.access} is {@code read-only} or {@code
 * unrestricted} and the endpoint is exposed: it shows hosts and notes, and stops nobody's work when it releases a lock.
 * Thread-safe; each operation blocks for its round trips.
 */
@Endpoint(id = "locks", defaultAccess = Access.NONE)
public final class LocksEndpoint {
    private final LockOperations locks;

    LocksEndpoint(LockOperations locks) {
        this.locks = locks;
    }

    /**
     * Lists locks, a page at a time, or shows one of them. One round trip. Names are parameters and no part of a path, in
     * which servers and firewalls refuse slashes and other characters.
     *
     * @param name the name of the only lock in the page, which is empty if it was never used or has been cleaned up; no
     *     other parameter has an effect then. Null for all locks.
     * @param prefix the prefix of the names; null for all
     * @param heldOnly whether only held locks are shown; null for false
     * @param instance the client instance that holds the locks; null for any, or none
     * @param after the {@code next} of the page before; null for the first page
     * @param limit the most locks in the page, from 1 to {@value LockQuery#MAX_LIMIT}; null for
     *     {@value LockQuery#DEFAULT_LIMIT}
     * @return the page
     * @throws InvalidEndpointRequestException if a parameter is out of bounds
     * @throws org.mongolocks.LockException if the server refused or gave no reply
     */
    @ReadOperation
    public Page list(
            @Nullable String name,
            @Nullable String prefix,
            @Nullable Boolean heldOnly,
            @Nullable String instance,
            @Nullable String after,
            @Nullable Integer limit) {
        if (name != null) {
            List<LockSnapshot> found = locks.inspect(nameOf(name)).stream().toList();
            return Page.of(new LockPage(found, List.of(), Optional.empty()));
        }
        LockQuery query = checked(() -> query(prefix, heldOnly, instance, after, limit));
        return Page.of(locks.list(query));
    }

    private static LockQuery query(
            @Nullable String prefix,
            @Nullable Boolean heldOnly,
            @Nullable String instance,
            @Nullable String after,
            @Nullable Integer limit) {
        LockQuery named = prefix == null ? LockQuery.all() : LockQuery.all().prefix(prefix);
        LockQuery held = Boolean.TRUE.equals(heldOnly) ? named.heldOnly() : named;
        LockQuery own = instance == null ? held : held.instance(instance);
        LockQuery next = after == null ? own : own.after(after);
        return limit == null ? next : next.limit(limit);
    }

    /**
     * Force-releases a lock, if it is still the one that was seen. The holder detects the loss at its next renewal; its
     * work goes on. Two round trips.
     *
     * @param name the name
     * @param revision the {@code revision} that was seen
     * @return the outcome, with the lock as it was found
     * @throws InvalidEndpointRequestException if the name is out of bounds
     * @throws org.mongolocks.LockException if the server refused or gave no reply
     */
    @DeleteOperation
    public Release release(String name, long revision) {
        Optional<LockSnapshot> found = locks.inspect(nameOf(name));
        boolean isReleased = found.filter(LockSnapshot::isHeld)
                .filter(lock -> lock.revision() == revision)
                .map(locks::forceRelease)
                .orElse(false);
        return new Release(isReleased, found.map(StoredLock::of).orElse(null));
    }

    private static LockName nameOf(String name) {
        return checked(() -> LockName.of(name));
    }

    private static <V> V checked(Supplier<V> parameters) {
        try {
            return parameters.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), String.valueOf(e.getMessage()));
        }
    }

    /**
     * A page of locks.
     *
     * @param locks the locks, in the order of their names
     * @param foreign the names of documents that the strategy cannot read
     * @param next the value of {@code after} for the next page; null if this is the last one
     */
    public record Page(
            List<StoredLock> locks,
            List<String> foreign,
            @Nullable String next) {
        private static Page of(LockPage page) {
            return new Page(
                    page.locks().stream().map(StoredLock::of).toList(),
                    page.foreign(),
                    page.next().orElse(null));
        }
    }

    /**
     * A lock as {@link LockSnapshot} shows it.
     *
     * @param name the name
     * @param held whether it was held, as far as the reply shows
     * @param holder the stored owner; null when it was released
     * @param fencingToken the token of the newest grant
     * @param revision the number to release it with
     * @param acquiredAt when the newest grant was made, by the server's clock; null if not stored
     * @param expiresAt when the newest lease ends or ended, by the server's clock; null if the lock was never used
     * @param ttl the length of the newest lease
     * @param remaining how much of it was left; null if unknown
     * @param host the host of the holder; null if not stored, as the following ones
     * @param processId the process of the holder
     * @param thread the thread of the holder
     * @param note the note of the request
     */
    public record StoredLock(
            String name,
            boolean held,
            @Nullable String holder,
            long fencingToken,
            long revision,
            @Nullable Instant acquiredAt,
            @Nullable Instant expiresAt,
            Duration ttl,
            @Nullable Duration remaining,
            @Nullable String host,
            @Nullable Long processId,
            @Nullable String thread,
            @Nullable String note) {
        private static StoredLock of(LockSnapshot lock) {
            HolderInfo info = lock.holderInfo();
            return new StoredLock(
                    lock.name().value(),
                    lock.isHeld(),
                    lock.holder().orElse(null),
                    lock.fencingToken(),
                    lock.revision(),
                    lock.acquiredAt().orElse(null),
                    lock.expiresAt().orElse(null),
                    lock.ttl(),
                    lock.remaining().orElse(null),
                    info.host().orElse(null),
                    info.processId().isPresent() ? info.processId().getAsLong() : null,
                    info.thread().orElse(null),
                    info.note().orElse(null));
        }
    }

    /**
     * The outcome of a release.
     *
     * @param released whether the lock was released; false if it was not held, or has changed since it was seen
     * @param lock the lock as it was found before; null if there was none
     */
    public record Release(boolean released, @Nullable StoredLock lock) {}
}
