package org.mongolocks.spring;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Nested;
import org.mongolocks.LockContendedException;
import org.mongolocks.contract.integration.ApplicationClients;
import org.mongolocks.contract.integration.IntegrationContract;
import org.mongolocks.contract.integration.LockIntegration;
import org.mongolocks.contract.integration.NamedModuleContract;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The contract of integrations, on methods that block and on methods that return a {@code Mono}. */
class LockedContractTest implements NamedModuleContract {
    @Nested
    class BlockingMethod extends IntegrationContract {
        @Override
        protected LockIntegration integration() {
            return new LockedMethods(Bean::call);
        }
    }

    @Nested
    class MonoMethod extends IntegrationContract {
        @Override
        protected LockIntegration integration() {
            return new LockedMethods(Bean::await);
        }
    }

    /** A call of a bean's method through its proxy. */
    @FunctionalInterface
    private interface Call {
        void of(Bean bean, String lock, LockIntegration.Work work) throws Exception;
    }

    static class Bean {
        /** The Reactor context of work that blocks a thread. */
        private static final ThreadLocal<ContextView> AROUND = ThreadLocal.withInitial(Context::empty);

        @Locked(name = "#{#lock}", ttl = "10m")
        public void call(String lock, LockIntegration.Work work) throws Exception {
            HeldLock held = CurrentLock.get();
            work.run(new LockIntegration.Grant(held.fencingToken(), held::isHeld));
        }

        @Locked(name = "#{#lock}", ttl = "10m")
        public Mono<Boolean> mono(String lock, LockIntegration.Work work) {
            return Mono.deferContextual(around -> CurrentReactiveLock.get()
                    .flatMap(held ->
                            Mono.fromCallable(() -> run(around, held, work)).subscribeOn(Schedulers.boundedElastic())));
        }

        private boolean run(ContextView around, ReactiveHeldLock held, LockIntegration.Work work) throws Exception {
            AROUND.set(around);
            try {
                work.run(new LockIntegration.Grant(held.fencingToken(), held::isHeld));
            } finally {
                AROUND.remove();
            }
            return true;
        }

        /** Waits for a publisher that belongs to the work on this thread, if there is any. */
        static void await(Bean bean, String lock, LockIntegration.Work work) throws Exception {
            try {
                bean.mono(lock, work).contextWrite(AROUND.get()).toFuture().get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }

    /** Applications with a context of their own, which closes its clients. */
    private record LockedMethods(Call call) implements LockIntegration {
        @Override
        public Set<Capability> capabilities() {
            return EnumSet.allOf(Capability.class);
        }

        @Override
        public Application open(ApplicationClients clients) throws Exception {
            LockClient sync = clients.sync();
            ReactiveLockClient reactive = clients.reactive();
            AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
            context.register(LockingScene.Enabled.class, Bean.class);
            context.registerBean(LockClient.class, () -> sync);
            context.registerBean(ReactiveLockClient.class, () -> reactive);
            context.refresh();
            return new LockedApplication(context, context.getBean(Bean.class), call);
        }
    }

    private record LockedApplication(AnnotationConfigApplicationContext context, Bean bean, Call call)
            implements LockIntegration.Application {
        @Override
        public LockIntegration.Outcome run(String lock, LockIntegration.Work work) throws Exception {
            try {
                call.of(bean, lock, work);
                return LockIntegration.Outcome.RAN;
            } catch (LockContendedException e) {
                return LockIntegration.Outcome.REFUSED;
            } catch (Exception e) {
                if (LockIntegration.isLoss(e)) {
                    return LockIntegration.Outcome.LOST;
                }
                throw e;
            }
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
