package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.LockClient;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls of methods under a lock whose client or context is closed. */
class LockedClosingTest {
    private LockingScene scene;
    private AnnotationConfigApplicationContext context;
    private Reports reports;

    @BeforeEach
    void open() throws InterruptedException {
        scene = new LockingScene();
        context = scene.context(LockingScene.Enabled.class, Reports.class);
        reports = context.getBean(Reports.class);
    }

    @AfterEach
    void close() throws Exception {
        Thread.interrupted();
        scene.close();
    }

    /** Annotated methods of each kind. */
    static class Reports {
        final AtomicInteger runs = new AtomicInteger();

        @Locked(name = "report", whenContended = WhenContended.SKIP)
        public Optional<String> skipping() {
            return Optional.of("run " + runs.incrementAndGet());
        }

        @Locked(name = "report", whenContended = WhenContended.SKIP)
        public CompletableFuture<String> skippingStage() {
            return CompletableFuture.completedFuture("run " + runs.incrementAndGet());
        }

        @Locked(name = "report", whenContended = WhenContended.SKIP)
        public Mono<Integer> skippingMono() {
            return Mono.fromSupplier(runs::incrementAndGet);
        }

        @Locked(name = "report", whenContended = WhenContended.SKIP)
        public Flux<Integer> skippingFlux() {
            return Flux.from(skippingMono());
        }

        @Locked("report")
        public void throwing() {
            runs.incrementAndGet();
        }

        @Locked(name = "report", fallback = "instead")
        public void withFallback() {
            runs.incrementAndGet();
        }

        void instead() {
            runs.incrementAndGet();
        }

        @Scheduled(cron = "0 0 0 1 1 *")
        @Locked(name = "report", fallback = "instead")
        public void scheduled() {
            runs.incrementAndGet();
        }

        @Scheduled(cron = "0 0 0 1 1 *")
        @Locked("report")
        public int scheduledWithResult() {
            return runs.incrementAndGet();
        }

        public int runs() {
            return runs.get();
        }
    }

    @Test
    @Tag("finds:tick-after-the-client")
    void callsThatNeedNoResultAreSkippedAfterTheCloseOfTheContext() {
        context.close();

        assertThat(reports.skipping()).isEmpty();
        assertThat(reports.skippingStage()).isCompletedWithValue(null);
        assertThat(reports.skippingMono().blockOptional()).isEmpty();
        assertThat(reports.skippingFlux().collectList().block()).isEmpty();
        reports.scheduled();
        assertThat(reports.runs()).isZero();
    }

    @Test
    @Tag("finds:closed-context-new-client")
    void otherCallersGetAnExceptionAndNoClientOfTheirOwn() {
        context.close();

        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(reports::throwing);
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(reports::withFallback);
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(reports::scheduledWithResult);
        assertThat(reports.runs()).isZero();
    }

    @Test
    void closedClientIsAnExceptionWhileTheContextIsOpen() {
        scene.locks.close();
        scene.reactiveLocks.close();

        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(reports::skipping);
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(reports::scheduled);
        assertThat(reports.skippingStage()).isCompletedExceptionally();
        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> reports.skippingMono().block());
        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> reports.skippingFlux().blockLast());
        assertThat(reports.runs()).isZero();
    }

    @Test
    void interruptIsAnExceptionWhileTheContextIsOpen() {
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(reports::skipping);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @Tag("finds:tick-after-the-client")
    void interruptedTickIsSkippedWhileTheContextIsClosed() {
        AtomicBoolean isSkipped = new AtomicBoolean();
        context.addApplicationListener((ContextClosedEvent event) -> {
            Thread.currentThread().interrupt();
            isSkipped.set(reports.skipping().isEmpty() && Thread.interrupted());
        });

        context.close();

        assertThat(isSkipped).isTrue();
        assertThat(reports.runs()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {Executor.class, ExecutorService.class, ScheduledExecutorService.class, TaskExecutor.class})
    <E extends Executor> void executorIsClosedBeforeTheClient(Class<E> type) {
        assertThat(closed(type)).containsExactly("executor", "locks");
    }

    @ParameterizedTest
    @ValueSource(classes = {ExecutorService.class, TaskExecutor.class})
    <E extends Executor> void executorThatTheClientNeedsIsClosedAfterIt(Class<E> type) {
        assertThat(closed(type, "executor")).containsExactly("locks", "executor");
    }

    /** Returns the beans of a context in the order in which they are closed. */
    private <E extends Executor> List<String> closed(Class<E> type, String... needed) {
        List<String> closed = new ArrayList<>();
        Object executor = Proxy.newProxyInstance(
                LockedClosingTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> null);
        AnnotationConfigApplicationContext closing = scene.unstarted(LockingScene.Enabled.class);
        closing.registerBean("executor", type, () -> type.cast(executor));
        closing.registerBean(
                "locks", LockClient.class, () -> scene.locks, definition -> definition.setDependsOn(needed));
        closing.addBeanFactoryPostProcessor(beans ->
                beans.addBeanPostProcessor(new DestructionAwareBeanPostProcessor() {
                    @Override
                    public void postProcessBeforeDestruction(Object bean, String name) {
                        closed.add(name);
                    }

                    @Override
                    public boolean requiresDestruction(Object bean) {
                        return bean instanceof LockClient || bean instanceof Executor;
                    }
                }));
        closing.refresh();
        closing.close();
        return closed;
    }

    @Test
    @Tag("finds:closed-context-new-client")
    void callAfterAFailedStartBuildsNoClient() throws Exception {
        AtomicInteger built = new AtomicInteger();
        AtomicReference<Reports> started = new AtomicReference<>();
        AnnotationConfigApplicationContext failing = scene.unstarted(LockingScene.Enabled.class, Reports.class);
        failing.registerBean("reactiveLocks", ReactiveLockClient.class, () -> scene.reactiveLocks);
        failing.registerBean("locks", LockClient.class, () -> {
            built.incrementAndGet();
            return scene.locks;
        });
        failing.addApplicationListener((ContextRefreshedEvent event) -> {
            started.set(event.getApplicationContext().getBean(Reports.class));
            throw new IllegalStateException("no start");
        });
        assertThatIllegalStateException().isThrownBy(failing::refresh).withMessage("no start");

        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(started.get()::throwing);
        started.get().scheduled();
        assertThat(started.get().skippingMono().blockOptional()).isEmpty();
        assertThat(started.get().runs()).isZero();
        assertThat(built).hasValue(1);
    }
}
