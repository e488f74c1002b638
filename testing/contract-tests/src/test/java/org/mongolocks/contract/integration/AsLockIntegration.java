package org.mongolocks.contract.integration;

import java.util.EnumSet;
import java.util.Set;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.DistributedLock;
import org.mongolocks.sync.LockClient;

/** {@link LockClient#asLock}, whose holder asks its handle for an interrupt after a loss. */
public class AsLockIntegration implements LockIntegration {
    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public Application open(ApplicationClients clients) throws Exception {
        return application(clients.sync());
    }

    protected Locks application(LockClient locks) {
        return new Locks(locks);
    }

    /** An application whose parts a mistake can replace. */
    public static class Locks implements Application {
        private final LockClient client;

        public Locks(LockClient client) {
            this.client = client;
        }

        protected LockClient client() {
            return client;
        }

        protected LockRequest request(String lock) {
            return client.request(lock);
        }

        @Override
        public Outcome run(String name, Work work) throws Exception {
            DistributedLock lock = client.asLock(request(name));
            if (!lock.tryLock()) {
                return Outcome.REFUSED;
            }
            return runUnder(lock, work);
        }

        protected Outcome runUnder(DistributedLock lock, Work work) throws Exception {
            boolean isLost = false;
            try {
                begin(lock);
                work.run(grant(lock));
            } finally {
                isLost = !unlock(lock);
            }
            return isLost ? Outcome.LOST : Outcome.RAN;
        }

        protected void begin(DistributedLock lock) {
            lock.heldLock().orElseThrow().interruptOnLoss();
        }

        protected Grant grant(DistributedLock lock) {
            return new Grant(lock.fencingToken(), lock::isHeldByCurrentThread);
        }

        /** Returns false if the lock was lost before. */
        protected boolean unlock(DistributedLock lock) {
            try {
                lock.unlock();
                return true;
            } catch (LockLostException e) {
                return false;
            }
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
