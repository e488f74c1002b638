package org.mongolocks.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.Step;

/**
 * Knows which locks of one client are held, or asked for, in whose name, so that the same one can enter again without
 * asking the server. An entry goes when the lock is released or lost, or was not acquired. Thread-safe; its monitor is
 * never held while others are told something.
 */
public final class Reentries {
    private final ClientSettings settings;
    private final Holds holds;
    private final WaitingRoom room;
    private final Map<Key, Entry> entries = new HashMap<>();

    /**
     * Begins with nothing.
     *
     * @param settings the settings of the client
     * @param holds what the client holds
     * @param room where the acquisitions of the client wait
     */
    public Reentries(ClientSettings settings, Holds holds, WaitingRoom room) {
        this.settings = settings;
        this.holds = holds;
        this.room = room;
    }

    /**
     * Begins to enter; the wait counts from here.
     *
     * @param owner in whose name; compared by {@code equals}
     * @param request what to acquire
     * @return one visit
     */
    public Visit visit(Object owner, LockRequest request) {
        return new Visit(this, new Key(owner, request.name()), request);
    }

    /**
     * Counts how often a lock was entered and not left.
     *
     * @param owner in whose name
     * @param name what is locked
     * @return how often; zero if the lock is not held in that name, as far as is known
     */
    public int count(Object owner, LockName name) {
        Key key = new Key(owner, name);
        lookAtClock(key);
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

    /** Returns the program that releases a lock which was entered for nobody. */
    Step<Boolean> releasing(Hold hold) {
        return room.freeing(hold.lease().name(), hold.releasing(settings));
    }

    /** Enters what is held, begins what is not, or finds that another is at it in the same name. */
    Found enter(Key key) {
        lookAtClock(key);
        synchronized (this) {
            Entry entry = entries.get(key);
            if (entry == null || entry.isOver()) {
                Entry fresh = new Entry(key);
                entries.put(key, fresh);
                return new Found(fresh, true, Optional.empty(), fresh.changed);
            }
            return new Found(entry, false, entry.enter(), entry.changed);
        }
    }

    /** Whoever finds that a lease has ended has the listeners told, and that is not for the monitor. */
    private void lookAtClock(Key key) {
        Optional<Hold> hold;
        synchronized (this) {
            hold = Optional.ofNullable(entries.get(key)).flatMap(entry -> Optional.ofNullable(entry.hold));
        }
        hold.ifPresent(Hold::look);
    }

    /**
     * Is what an entry is found by.
     *
     * @param owner in whose name
     * @param name what is locked
     */
    record Key(Object owner, LockName name) {
        /** Nobody is no owner: all who do not know theirs yet would enter each other's lock. */
        Key {
            Objects.requireNonNull(owner, "The owner is null");
        }
    }

    /**
     * Tells what was found.
     *
     * @param entry the entry
     * @param isFresh whether it is the finder's to ask the server
     * @param entered what was entered, if it is held
     * @param changed completes when it is worth looking again
     */
    record Found(Entry entry, boolean isFresh, Optional<Hold> entered, CompletableFuture<Void> changed) {}

    /** One grant and how often it was entered; before the grant, the question for it; after that, its release. */
    final class Entry {
        private final Key key;
        private CompletableFuture<Void> changed = new CompletableFuture<>();
        private @Nullable Hold hold;
        private boolean keptAlive;
        private int count;

        private Entry(Key key) {
            this.key = key;
        }

        /** Takes the grant in, as its first share. */
        Share acquired(Hold granted, boolean isKeptAlive) {
            CompletableFuture<Void> told;
            synchronized (Reentries.this) {
                hold = granted;
                keptAlive = isKeptAlive;
                count = 1;
                told = changed;
            }
            told.complete(null);
            granted.onLostAtOnce((lease, reason) -> forget());
            return new Share(this);
        }

        /** Keeps the lock alive from now on, if it is not. */
        void keepAlive(Hold entered) {
            boolean begins;
            synchronized (Reentries.this) {
                begins = !keptAlive;
                keptAlive = true;
            }
            if (begins) {
                holds.keepAlive(entered);
            }
        }

        /** Leaves once; true for the last, who is to release the lock. Whoever comes now waits for that. */
        boolean leave() {
            synchronized (Reentries.this) {
                count--;
                changed = count == 0 ? new CompletableFuture<>() : changed;
                return count == 0;
            }
        }

        /** It was lost, released or not acquired, or its release has failed: the next one asks the server. */
        void forget() {
            CompletableFuture<Void> told;
            synchronized (Reentries.this) {
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

        /** One that is being released is not over yet. */
        private boolean isOver() {
            return hold != null && count > 0 && hold.isOver();
        }
    }
}
