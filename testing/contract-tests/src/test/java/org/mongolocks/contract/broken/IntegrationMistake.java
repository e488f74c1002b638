package org.mongolocks.contract.broken;

import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.contract.integration.AsLockIntegration.Locks;
import org.mongolocks.contract.integration.LockIntegration.Grant;
import org.mongolocks.contract.integration.LockIntegration.Outcome;
import org.mongolocks.contract.integration.LockIntegration.Work;
import org.mongolocks.sync.DistributedLock;
import org.mongolocks.sync.LockClient;

/** A mistake of an integration. */
enum IntegrationMistake {
    /** Runs the work although another owner holds the lock. */
    IGNORES_CONTENTION(client -> new Locks(client) {
        @Override
        public Outcome run(String name, Work work) throws Exception {
            Outcome outcome = super.run(name, work);
            if (outcome == Outcome.REFUSED) {
                work.run(new Grant(0, () -> true));
            }
            return Outcome.RAN;
        }
    }),
    /** Reports contended work as done. */
    HIDES_CONTENTION(client -> new Locks(client) {
        @Override
        public Outcome run(String name, Work work) throws Exception {
            Outcome outcome = super.run(name, work);
            return outcome == Outcome.REFUSED ? Outcome.RAN : outcome;
        }
    }),
    /** Unlocks only after work that succeeds. */
    KEEPS_THE_LOCK_OF_FAILED_WORK(client -> new Locks(client) {
        @Override
        protected Outcome runUnder(DistributedLock lock, Work work) throws Exception {
            begin(lock);
            work.run(grant(lock));
            return unlock(lock) ? Outcome.RAN : Outcome.LOST;
        }
    }),
    /** Never unlocks. */
    NEVER_RELEASES(client -> new Locks(client) {
        @Override
        protected boolean unlock(DistributedLock lock) {
            return true;
        }
    }),
    /** Throws another exception than the work did. */
    WRAPS_FAILURES(client -> new Locks(client) {
        @Override
        public Outcome run(String name, Work work) throws Exception {
            try {
                return super.run(name, work);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }),
    /** Ends the lock of the name, also if another owner holds it. */
    RELEASES_BY_NAME_ONLY(client -> new Locks(client) {
        @Override
        public Outcome run(String name, Work work) throws Exception {
            Outcome outcome = super.run(name, work);
            if (outcome != Outcome.REFUSED) {
                LockSnapshot stored = client.inspect(name).orElseThrow();
                client.forceRelease(stored);
            }
            return outcome;
        }
    }),
    /** Counts its own grants, and shows that instead of the token. */
    LOSES_THE_TOKEN(client -> new Locks(client) {
        private long grants;

        @Override
        protected Grant grant(DistributedLock lock) {
            grants++;
            return new Grant(OptionalLong.of(grants), lock::isHeldByCurrentThread);
        }
    }),
    /** Lets work go on after a loss. */
    DOES_NOT_INTERRUPT(client -> new Locks(client) {
        @Override
        protected void begin(DistributedLock lock) {}
    }),
    /** Reports work as done whose lock was lost. */
    HIDES_LOSSES(client -> new Locks(client) {
        @Override
        protected boolean unlock(DistributedLock lock) {
            var unused = super.unlock(lock);
            return true;
        }
    }),
    /** Shows a lock as held as long as the work runs. */
    ASSUMES_THAT_THE_LOCK_IS_HELD(client -> new Locks(client) {
        @Override
        protected Grant grant(DistributedLock lock) {
            return new Grant(lock.fencingToken(), () -> true);
        }
    }),
    /** Remembers that a lock was contended, and does not ask again. */
    REMEMBERS_CONTENTION(client -> new Locks(client) {
        private final Set<String> contended = ConcurrentHashMap.newKeySet();

        @Override
        public Outcome run(String name, Work work) throws Exception {
            Outcome outcome = contended.contains(name) ? Outcome.REFUSED : super.run(name, work);
            if (outcome == Outcome.REFUSED) {
                contended.add(name);
            }
            return outcome;
        }
    }),
    /** Uses the longest lease there is. */
    IGNORES_THE_TTL(client -> new Locks(client) {
        @Override
        protected LockRequest request(String lock) {
            return LockRequest.of(lock, LockRequest.MAX_TTL).fixedLease();
        }
    }),
    /** Leaves the locks of its work held when it is shut down. */
    DOES_NOT_CLOSE_ITS_CLIENT(client -> new Locks(client) {
        @Override
        public void close() {}
    }),
    /** Reports a closed client as contention. */
    HIDES_THAT_IT_IS_CLOSED(client -> new Locks(client) {
        @Override
        public Outcome run(String name, Work work) throws Exception {
            try {
                return super.run(name, work);
            } catch (ClientClosedException e) {
                return Outcome.REFUSED;
            }
        }
    }),
    /** Asks for one lease, without renewals. */
    KEEPS_NOTHING_ALIVE(client -> new Locks(client) {
        @Override
        protected LockRequest request(String lock) {
            return super.request(lock).fixedLease();
        }
    }),
    /** Uses one lock for all names. */
    HAS_ONE_LOCK(client -> new Locks(client) {
        @Override
        protected LockRequest request(String lock) {
            return super.request("the lock");
        }
    }),
    /** Refuses work under a lock that the thread holds. */
    IS_NOT_REENTRANT(client -> new Locks(client) {
        private final ThreadLocal<Set<String>> held = ThreadLocal.withInitial(HashSet::new);

        @Override
        public Outcome run(String name, Work work) throws Exception {
            if (!held.get().add(name)) {
                return Outcome.REFUSED;
            }
            try {
                return super.run(name, work);
            } finally {
                held.get().remove(name);
            }
        }
    }),
    /** Releases the lock when inner work ends. */
    RELEASES_AFTER_INNER_WORK(client -> new Locks(client) {
        @Override
        protected boolean unlock(DistributedLock lock) {
            boolean wasHeld = lock.getHoldCount() > 0;
            while (lock.heldLock().isPresent()) {
                wasHeld &= super.unlock(lock);
            }
            return wasHeld;
        }
    });

    private final Function<LockClient, Locks> application;

    IntegrationMistake(Function<LockClient, Locks> application) {
        this.application = application;
    }

    /** Returns an application with this mistake. */
    Locks application(LockClient client) {
        return application.apply(client);
    }
}
