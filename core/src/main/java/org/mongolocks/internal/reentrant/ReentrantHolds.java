package org.mongolocks.internal.reentrant;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Step;

/**
 * The locks of one client that are held, or being acquired, by owner, so that the same owner can enter again without a
 * command. An entry is removed when the lock is released or lost, or was not acquired. Thread-safe; its monitor is
 * never held while listeners are called.
 */
public final class ReentrantHolds {
    private final ClientSettings settings;
    private final HoldRegistry holds;
    private final Map<Key, Entry> entries = new HashMap<>();

    public ReentrantHolds(ClientSettings settings, HoldRegistry holds) {
        this.settings = settings;
        this.holds = holds;
    }

    /** Creates an acquisition for an owner, which is compared by {@code equals}. Its deadline counts from this call. */
    public ReentrantAcquisition acquisition(Object owner, LockRequest request) {
        return new ReentrantAcquisition(this, new Key(owner, request.name()), request);
    }

    /** Returns how often a lock was entered and not left; zero if the owner does not hold it, as far as is known. */
    public int count(Object owner, LockName name) {
        Key key = new Key(owner, name);
        checkExpiry(key);
        synchronized (this) {
            Entry entry = entries.get(key);
            return entry == null || entry.isOver() ? 0 : entry.count;
        }
    }

    synchronized int size() {
        return entries.size();
    }

    ClientSettings settings() {
        return settings;
    }

    /** Returns the program that releases a lock whose entering acquisition has ended already. */
    Step<Boolean> releasing(Hold hold) {
        return holds.releasing(hold);
    }

    /**
     * Enters a held lock, creates an entry for one that is not held, or finds that another acquisition of the same
     * owner is in progress.
     */
    Lookup enter(Key key) {
        checkExpiry(key);
        synchronized (this) {
            Entry entry = entries.get(key);
            if (entry == null || entry.isOver()) {
                Entry fresh = new Entry(key);
                entries.put(key, fresh);
                return new Lookup(fresh, true, Optional.empty(), fresh.changed);
            }
            return new Lookup(entry, false, entry.enter(), entry.changed);
        }
    }

    /** Detects an expired lease before the monitor is entered, because that calls the listeners. */
    private void checkExpiry(Key key) {
        Optional<Hold> hold;
        synchronized (this) {
            hold = Optional.ofNullable(entries.get(key)).flatMap(entry -> Optional.ofNullable(entry.hold));
        }
        hold.ifPresent(Hold::checkExpiry);
    }

    record Key(Object owner, LockName name) {
        /** A null owner is refused: all callers with an unknown owner would enter each other's lock. */
        Key {
            Objects.requireNonNull(owner, "The owner is null");
            Objects.requireNonNull(name, "The name of the lock is null");
        }
    }

    /**
     * The result of a lookup.
     *
     * @param isFresh whether the caller must acquire the lock from the server
     * @param entered the lock that was entered, if it is held
     * @param changed completes when the lookup should be repeated
     */
    record Lookup(Entry entry, boolean isFresh, Optional<Hold> entered, CompletableFuture<Void> changed) {}

    /**
     * One lock of one owner, in one of three phases: being acquired ({@code hold} is null), held ({@code count} is
     * above 0), being released ({@code count} is 0).
     */
    final class Entry {
        private final Key key;
        private CompletableFuture<Void> changed = new CompletableFuture<>();
        private @Nullable Hold hold;
        private int count;
        /** How many of the references that are counted belong to handles that were garbage-collected. */
        private int forgotten;

        private Entry(Key key) {
            this.key = key;
        }

        /** Records the grant, as the first reference to it. */
        HoldReference acquired(Hold granted) {
            CompletableFuture<Void> told;
            synchronized (ReentrantHolds.this) {
                hold = granted;
                count = 1;
                forgotten = 0;
                told = changed;
            }
            told.complete(null);
            granted.signalLoss((lease, reason) -> forget());
            return new HoldReference(this);
        }

        /** Starts automatic renewal, or continues it up to a later limit. */
        void keepAlive(Hold entered, Optional<Duration> limit) {
            holds.keepAlive(entered, limit);
        }

        /**
         * Decrements the count; true for the last reference, whose caller must release the lock. New acquisitions wait
         * for that release. If only forgotten references are left of a lock that is kept alive, it would never end.
         */
        boolean leave() {
            synchronized (ReentrantHolds.this) {
                count--;
                boolean isOnlyKeptAlive = count == forgotten && hold != null && hold.isKeptAlive();
                count = isOnlyKeptAlive ? 0 : count;
                changed = count == 0 ? new CompletableFuture<>() : changed;
                return count == 0;
            }
        }

        /**
         * Records that a handle was garbage-collected without a release while nobody kept the lock alive. A lease without
         * keep-alive ends by itself; if another handle asks to keep it alive, that one must release it.
         */
        void leaveForgotten() {
            synchronized (ReentrantHolds.this) {
                forgotten++;
            }
        }

        /**
         * Removes the entry: the lock was lost, released or not acquired, or its release has failed. The next
         * acquisition goes to the server.
         */
        void forget() {
            CompletableFuture<Void> told;
            synchronized (ReentrantHolds.this) {
                entries.remove(key, this);
                told = changed;
            }
            told.complete(null);
        }

        private Optional<Hold> enter() {
            Hold held = hold;
            if (held == null || count == 0) {
                return Optional.empty();
            }
            count++;
            return Optional.of(held);
        }

        /** A lock that is being released is not over yet. */
        private boolean isOver() {
            return hold != null && count > 0 && hold.isOver();
        }
    }
}
