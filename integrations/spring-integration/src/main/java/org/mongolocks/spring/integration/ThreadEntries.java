package org.mongolocks.spring.integration;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.LockLostException;
import org.mongolocks.sync.HeldLock;

/**
 * The locks of a registry that each thread has locked and not unlocked. They are thread-local, so that nothing is left
 * of a thread that has ended, and they keep the objects of these locks from being collected.
 */
final class ThreadEntries {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    @SuppressWarnings("ThreadLocalUsage") // One for each registry; registries are few and live long.
    private final ThreadLocal<Map<RegistryLock, Entries>> ofThread = new ThreadLocal<>();

    private final boolean interruptsOnLoss;

    ThreadEntries(boolean interruptsOnLoss) {
        this.interruptsOnLoss = interruptsOnLoss;
    }

    /** Returns the entries of this thread into a lock; empty if there are none. */
    Optional<Entries> of(RegistryLock lock) {
        Map<RegistryLock, Entries> mine = ofThread.get();
        return Optional.ofNullable(mine == null ? null : mine.get(lock));
    }

    /** Returns the entries of this thread into a lock, unless all belong to a grant whose loss was reported. */
    Optional<Entries> held(RegistryLock lock) {
        return of(lock).filter(found -> found.grant != null);
    }

    /** Records the first entry into a lock by a new grant. */
    void begin(RegistryLock lock, HeldLock grant) {
        Map<RegistryLock, Entries> mine = ofThread.get();
        if (mine == null) {
            mine = new HashMap<>();
            ofThread.set(mine);
        }
        mine.computeIfAbsent(lock, same -> new Entries()).begin(grant);
        if (interruptsOnLoss) {
            grant.interruptOnLoss();
        }
    }

    /**
     * Ends the newest entry of this thread into a lock; the last one of a grant releases the lock.
     *
     * @return the loss that this entry has to report: it is the last one of a grant that was lost, or one of a grant
     *     whose loss was found by a re-entry
     * @throws IllegalMonitorStateException if this thread has no entry
     */
    Optional<LockLostException> leave(RegistryLock lock) {
        Entries mine = of(lock).orElseThrow(() -> notOwned(lock));
        try {
            return mine.leave();
        } finally {
            if (mine.isEmpty()) {
                forget(lock);
            }
        }
    }

    static IllegalMonitorStateException notOwned(RegistryLock lock) {
        return new IllegalMonitorStateException(
                lock + " is not owned by thread '" + Thread.currentThread().getName() + "'");
    }

    private void forget(RegistryLock lock) {
        Map<RegistryLock, Entries> mine = ofThread.get();
        mine.remove(lock);
        if (mine.isEmpty()) {
            ofThread.remove();
        }
    }

    /**
     * The entries of one thread into one lock: those by the newest grant, above those by earlier grants whose loss was
     * found by a re-entry. The thread leaves the newest first. Confined to its thread.
     */
    final class Entries {
        private @Nullable HeldLock grant;
        /** The grant whose loss a re-entry has found last. */
        private @Nullable HeldLock lostGrant;

        private int count;
        private boolean gotReply;
        private int lostCount;
        private @Nullable LockLostException loss;

        private void begin(HeldLock granted) {
            grant = granted;
            count = 1;
            gotReply = true;
        }

        /** Returns the grant of the newest entry; empty if a re-entry has found its loss. */
        Optional<HeldLock> grant() {
            return Optional.ofNullable(grant);
        }

        /** Returns the loss that was found last. */
        @Nullable
        LockLostException loss() {
            return loss;
        }

        /** Renews the lease; false if the lock was lost. */
        boolean renew(Duration ttl) throws InterruptedException {
            HeldLock held = grant;
            if (held == null) {
                return false;
            }
            boolean renewed = renew(held, ttl);
            if (!renewed) {
                loss = held.lossException().orElse(loss);
            }
            return renewed;
        }

        /** Enters again, if the lock is still held; otherwise the next attempt is to acquire it. */
        boolean enter(Duration ttl) throws InterruptedException {
            boolean entered = renew(ttl);
            if (entered) {
                count++;
            } else if (grant != null) {
                releaseLater(grant);
                lostGrant = grant;
                grant = null;
                lostCount += count;
                count = 0;
            }
            return entered;
        }

        private Optional<LockLostException> leave() {
            HeldLock held = grant;
            if (held == null) {
                lostCount--;
                endInterrupt(lostGrant);
                return Optional.ofNullable(loss);
            }
            count--;
            if (count > 0) {
                return Optional.empty();
            }
            grant = null;
            return release(held);
        }

        /** No later loss interrupts the thread, which other work may use next. */
        private void endInterrupt(@Nullable HeldLock last) {
            if (interruptsOnLoss && last != null) {
                boolean unused = last.endInterruptOnLoss();
            }
        }

        private Optional<LockLostException> release(HeldLock last) {
            endInterrupt(last);
            if (last.isHeld() && gotReply) {
                return tryRelease(last) ? Optional.empty() : last.lossException();
            }
            Optional<LockLostException> known = last.lossException();
            releaseLater(last);
            return known;
        }

        private boolean tryRelease(HeldLock last) {
            try {
                return last.release();
            } catch (LockException e) {
                LOG.log(WARNING, last + " could not be released; it is held until its ttl has passed: " + e);
                return true;
            }
        }

        /**
         * Releases what may be left of a grant on a thread of its own: a renewal whose reply was lost may have extended
         * its lease. While the server is out of reach that takes long, and a leader has to stop at once. It has neither
         * the context class loader nor the inheritable thread locals of the caller.
         */
        private void releaseLater(HeldLock last) {
            Thread release = new Thread(null, last::close, "mongo-locks-registry-release", 0, false);
            release.setContextClassLoader(null);
            release.setDaemon(true);
            release.start();
        }

        /** If no reply arrives until the lease ends, that is a loss. */
        private boolean renew(HeldLock held, Duration ttl) throws InterruptedException {
            try {
                boolean renewed = held.renew(ttl);
                gotReply = true;
                return renewed;
            } catch (LockInterruptedException e) {
                Thread.interrupted();
                throw interrupted(e);
            } catch (LockException e) {
                gotReply = !e.isTransient();
                if (held.isHeld()) {
                    throw e;
                }
                return false;
            }
        }

        /** A lock of this interface reports an interrupt as all of them do, or repeats what was interrupted. */
        private static InterruptedException interrupted(LockInterruptedException cause) {
            InterruptedException interrupted = new InterruptedException(cause.getMessage());
            interrupted.initCause(cause);
            return interrupted;
        }

        private boolean isEmpty() {
            return grant == null && lostCount == 0;
        }
    }
}
