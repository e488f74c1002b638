package org.mongolocks.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Nested;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.integration.ApplicationClients;
import org.mongolocks.contract.integration.IntegrationContract;
import org.mongolocks.contract.integration.LockIntegration;
import org.mongolocks.contract.integration.NamedModuleContract;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** The contract of integrations, on registries that do and do not interrupt. */
class RegistryContractTest implements NamedModuleContract {
    @Nested
    class Plain extends IntegrationContract {
        @Override
        protected LockIntegration integration() {
            return new Registries() {
                @Override
                public Set<Capability> capabilities() {
                    return EnumSet.complementOf(EnumSet.of(Capability.STOPS_WORK));
                }

                @Override
                MongoLockRegistry registry(MongoLockRegistry created) {
                    return created;
                }
            };
        }
    }

    @Nested
    class InterruptingOnLoss extends IntegrationContract {
        @Override
        protected LockIntegration integration() {
            return new Registries() {
                @Override
                public Set<Capability> capabilities() {
                    return EnumSet.allOf(Capability.class);
                }

                @Override
                MongoLockRegistry registry(MongoLockRegistry created) {
                    return created.interruptingOnLoss();
                }
            };
        }
    }

    /** Applications with a registry of their own. */
    private abstract static class Registries implements LockIntegration {
        abstract MongoLockRegistry registry(MongoLockRegistry created);

        @Override
        public Application open(ApplicationClients clients) throws Exception {
            LockClient client = clients.sync();
            return new RegistryApplication(
                    client,
                    registry(new MongoLockRegistry(client, key -> LockRequest.of(key, ApplicationClients.TTL))));
        }
    }

    private record RegistryApplication(LockClient client, MongoLockRegistry registry)
            implements LockIntegration.Application {
        @Override
        public LockIntegration.Outcome run(String lock, LockIntegration.Work work) throws Exception {
            try {
                registry.<Exception>executeLocked(lock, Duration.ZERO, () -> work.run(grant(lock)));
                return LockIntegration.Outcome.RAN;
            } catch (TimeoutException e) {
                return LockIntegration.Outcome.REFUSED;
            } catch (ConcurrentModificationException e) {
                return LockIntegration.Outcome.LOST;
            }
        }

        private LockIntegration.Grant grant(String lock) {
            HeldLock held = registry.heldLock(lock).orElseThrow();
            return new LockIntegration.Grant(held.fencingToken(), held::isHeld);
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
