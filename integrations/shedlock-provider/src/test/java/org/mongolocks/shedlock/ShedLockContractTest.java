package org.mongolocks.shedlock;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockExtender.LockCanNotBeExtendedException;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor.TaskResult;
import org.junit.jupiter.api.Nested;
import org.mongolocks.contract.integration.ApplicationClients;
import org.mongolocks.contract.integration.IntegrationContract;
import org.mongolocks.contract.integration.LockIntegration;
import org.mongolocks.contract.integration.NamedModuleContract;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.LockClient;

/** The contract of integrations, by ShedLock's own executor on both providers. */
class ShedLockContractTest implements NamedModuleContract {
    @Nested
    class Sync extends IntegrationContract {
        @Override
        protected LockIntegration integration() {
            return new ShedLock() {
                @Override
                public Application open(ApplicationClients clients) throws Exception {
                    LockClient client = clients.sync();
                    return new Tasks(new MongoLocksLockProvider(client), client::close);
                }
            };
        }
    }

    @Nested
    class Reactive extends IntegrationContract {
        @Override
        protected LockIntegration integration() {
            return new ShedLock() {
                @Override
                public Application open(ApplicationClients clients) {
                    ReactiveLockClient client = clients.reactive();
                    return new Tasks(new ReactiveMongoLocksLockProvider(client), client::close);
                }
            };
        }
    }

    /** ShedLock has one lease for each task, of {@code lockAtMostFor}, and shows of it only whether it can be extended. */
    private abstract static class ShedLock implements LockIntegration {
        @Override
        public Set<Capability> capabilities() {
            return EnumSet.of(Capability.PASSES_FAILURES, Capability.REENTRY);
        }
    }

    /** An application with ShedLock's executor. */
    private record Tasks(LockProvider provider, Runnable closing) implements LockIntegration.Application {
        @Override
        public LockIntegration.Outcome run(String lock, LockIntegration.Work work) throws Exception {
            LockConfiguration task = new LockConfiguration(Instant.now(), lock, ApplicationClients.TTL, Duration.ZERO);
            Extension extension = new Extension();
            try {
                TaskResult<Boolean> result = new DefaultLockingTaskExecutor(provider)
                        .executeWithLock(
                                () -> {
                                    work.run(new LockIntegration.Grant(OptionalLong.empty(), extension::succeeds));
                                    return true;
                                },
                                task);
                return result.wasExecuted() ? LockIntegration.Outcome.RAN : LockIntegration.Outcome.REFUSED;
            } catch (IllegalStateException e) {
                if (!extension.hasFailed) {
                    throw e;
                }
                return LockIntegration.Outcome.LOST;
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            closing.run();
        }
    }

    /** The way in which a task of ShedLock asks whether it still has its lock; its thread alone may ask. */
    private static final class Extension {
        private boolean hasFailed;

        boolean succeeds() {
            try {
                LockExtender.extendActiveLock(ApplicationClients.TTL, Duration.ZERO);
            } catch (LockCanNotBeExtendedException e) {
                hasFailed = true;
            }
            return !hasFailed;
        }
    }
}
