package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.Leftovers;
import org.mongolocks.shedlock.MongoLocksLockProvider;
import org.mongolocks.spring.EnableLocked;
import org.mongolocks.spring.Locked;
import org.mongolocks.spring.WhenContended;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.support.TaskUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Ticks of schedules at each step of the close of a context: none logs an error, and no lock or thread is left. The
 * scheduler is Spring's, but ticks when the test says so.
 */
class ScheduledOrdersTest {
    private final TestApplication application = new TestApplication();

    @AfterEach
    void close() {
        application.close();
    }

    /** The steps of a close. */
    enum Step {
        BEFORE_THE_CLOSE,
        CLOSED_EVENT,
        FIRST_PHASE,
        DEFAULT_PHASE,
        LAST_PHASE,
        BEFORE_THE_CLIENT,
        AFTER_THE_CLIENT,
        AFTER_THE_CLOSE
    }

    /** Contexts whose clients the starter or the application configures, before or after its other beans. */
    enum Context {
        BOOT,
        SPRING,
        SPRING_CLIENT_LAST
    }

    static Stream<Arguments> orders() {
        return Stream.of(Context.values())
                .flatMap(context -> Stream.of(Step.values()).map(step -> Arguments.of(context, step)));
    }

    @ParameterizedTest
    @MethodSource("orders")
    @Tag("finds:tick-after-the-client")
    void tickAtAStepOfTheCloseLogsNoError(Context kind, Step step) throws Exception {
        try (Leftovers leftovers = new Leftovers()) {
            ConfigurableApplicationContext context = start(kind);
            Ticks ticks = context.getBean(Ticks.class);
            Set<String> ran = context.getBean(Ran.class).names;
            ticks.at = step;

            ticks.step(Step.BEFORE_THE_CLOSE);
            context.close();
            ticks.step(Step.AFTER_THE_CLOSE);

            assertThat(ticks.wasStep).as("the step was reached").isTrue();
            if (step.compareTo(Step.BEFORE_THE_CLIENT) < 0) {
                assertThat(ran)
                        .containsExactlyInAnyOrder(
                                "skip", "throw", "other", "wait", "stage", "mono", "flux", "service", "direct", "shed");
            }
            if (step.compareTo(Step.BEFORE_THE_CLIENT) > 0) {
                assertThat(ran).isEmpty();
            }
            assertNoLock();
            leftovers.assertNone();
        }
    }

    @SuppressWarnings("try") // The threads of the other client end before it looks.
    @ParameterizedTest
    @EnumSource
    @Tag("finds:tick-after-the-client")
    void tickThatWaitsForItsLockEndsWithTheContext(Context kind) throws Exception {
        try (LockClient elsewhere = client(application.database);
                Leftovers leftovers = new Leftovers()) {
            ConfigurableApplicationContext context = start(kind);
            Ticks ticks = context.getBean(Ticks.class);
            Set<String> ran = context.getBean(Ran.class).names;
            List<BackgroundTask<Boolean>> waiting = new ArrayList<>();
            try (HeldLock wait = elsewhere.acquire(
                    LockRequest.of("wait", Duration.ofMinutes(1)).fixedLease())) {
                ticks.begun.forEach(tick -> waiting.add(BackgroundTask.run(() -> {
                    tick.run();
                    return true;
                })));
                soon("one waits", () -> elsewhere.inspect("wait").orElseThrow().waiters() == 1);
                // A lock that the close takes from its work is an error.
                soon(
                        "the others have ended",
                        () -> ran.size() == waiting.size() - 1
                                && waiting.stream()
                                                .filter(BackgroundTask::isDone)
                                                .count()
                                        == waiting.size() - 1
                                && elsewhere
                                                .list(LockQuery.all().heldOnly())
                                                .locks()
                                                .size()
                                        == 1);

                context.close();

                for (BackgroundTask<Boolean> tick : waiting) {
                    assertThat(tick.result()).isTrue();
                }
                assertThat(wait.isHeld()).isTrue();
            }
            assertThat(ran).doesNotContain("wait");
            assertNoLock();
            elsewhere.close();
            leftovers.assertNone();
        }
    }

    @ParameterizedTest
    @EnumSource
    void workUnderALockAndLeadersEndWithTheContext(Context kind) throws Exception {
        try (Leftovers leftovers = new Leftovers()) {
            ConfigurableApplicationContext context = start(kind);
            CountDownLatch begun = new CountDownLatch(2);
            LockClient locks = context.getBean(LockClient.class);
            LeaderElection election =
                    context.getBeanProvider(LeaderElection.class).getIfAvailable(() -> LeaderElection.with(locks));
            var unused = election.lead(Candidate.of("leader", Duration.ofMinutes(1)), term -> {
                begun.countDown();
                new CountDownLatch(1).await();
            });
            BackgroundTask<Boolean> work = BackgroundTask.run(() -> locks.tryWithLock(
                    LockRequest.of("work", Duration.ofMinutes(1)).fixedLease(), lock -> {
                        begun.countDown();
                        new CountDownLatch(1).await();
                    }));
            begun.await();

            if (kind != Context.BOOT) {
                election.close();
            }
            context.close();

            work.awaitEnd();
            assertNoLock();
            leftovers.assertNone();
        }
    }

    private void assertNoLock() throws InterruptedException {
        try (LockClient elsewhere = client(application.database)) {
            assertThat(elsewhere.list(LockQuery.all().heldOnly()).locks()).isEmpty();
        }
    }

    private static LockClient client(String database) {
        return LockClient.builder(TestApplication.mongo(), database)
                .drainTimeout(Duration.ZERO)
                .strategy("findandmodify-counter")
                .build();
    }

    private ConfigurableApplicationContext start(Context kind) {
        return kind == Context.BOOT ? boot() : spring(kind == Context.SPRING_CLIENT_LAST);
    }

    private ConfigurableApplicationContext boot() {
        return new SpringApplicationBuilder(Booted.class, Jobs.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "mongo-locks.strategy=findandmodify-counter",
                        "mongo-locks.database=" + application.database,
                        "mongo-locks.drain-timeout=0s",
                        "spring.main.banner-mode=off")
                .run();
    }

    private ConfigurableApplicationContext spring(boolean clientIsLast) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getSystemProperties().put("orders.database", application.database);
        if (clientIsLast) {
            context.register(Jobs.class, Enabled.class);
        } else {
            context.register(Enabled.class, Jobs.class);
        }
        context.refresh();
        return context;
    }

    /** What the starter finds. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Booted {
        @Bean(destroyMethod = "")
        MongoClient mongo() {
            return TestApplication.mongo();
        }

        @Bean(destroyMethod = "")
        com.mongodb.reactivestreams.client.MongoClient reactiveMongo() {
            return DriverClients.shared(TestApplication.uri()).reactive();
        }
    }

    /** What an application without the starter declares. */
    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Enabled {
        @Bean
        LockClient lockClient() {
            return client(System.getProperty("orders.database"));
        }

        @Bean
        ReactiveLockClient reactiveLockClient() {
            return ReactiveLockClient.builder(
                            DriverClients.shared(TestApplication.uri()).reactive(),
                            System.getProperty("orders.database"))
                    .drainTimeout(Duration.ZERO)
                    .strategy("findandmodify-counter")
                    .build()
                    .blockOptional()
                    .orElseThrow();
        }

        @Bean
        LockProvider lockProvider(LockClient locks) {
            return new MongoLocksLockProvider(locks);
        }
    }

    /** The beans of the application, none of which Spring knows to depend on a client, but for one. */
    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @Import({Ran.class, Annotated.class, Service.class, ThroughService.class, Stage.class, Shed.class, Direct.class})
    static class Jobs {
        @Bean
        Ticks taskScheduler() {
            return new Ticks();
        }

        @Bean
        ApplicationListener<ContextClosedEvent> closedEvent(Ticks ticks) {
            return event -> ticks.step(Step.CLOSED_EVENT);
        }

        @Bean
        AtPhase first(Ticks ticks) {
            return new AtPhase(Integer.MAX_VALUE, () -> ticks.step(Step.FIRST_PHASE));
        }

        @Bean
        AtPhase middle(Ticks ticks) {
            return new AtPhase(SmartLifecycle.DEFAULT_PHASE, () -> ticks.step(Step.DEFAULT_PHASE));
        }

        @Bean
        AtPhase last(Ticks ticks) {
            return new AtPhase(Integer.MIN_VALUE, () -> ticks.step(Step.LAST_PHASE));
        }

        @Bean
        DisposableBean beforeTheClient(LockClient locks, Ticks ticks) {
            return () -> ticks.step(Step.BEFORE_THE_CLIENT);
        }

        @Bean
        DisposableBean afterTheClient(ConfigurableApplicationContext context, Ticks ticks) {
            context.getBeanFactory().registerDependentBean("afterTheClient", "lockClient");
            context.getBeanFactory().registerDependentBean("afterTheClient", "reactiveLockClient");
            return () -> ticks.step(Step.AFTER_THE_CLIENT);
        }
    }

    /** The names of the work that was done. */
    static class Ran {
        final Set<String> names = new ConcurrentSkipListSet<>();
    }

    /** Scheduled methods under locks. */
    static class Annotated {
        private final Ran ran;

        Annotated(Ran ran) {
            this.ran = ran;
        }

        @Scheduled(cron = "0 0 0 1 1 *")
        @Locked(name = "skip", ttl = "1m", whenContended = WhenContended.SKIP)
        public void skip() {
            ran.names.add("skip");
        }

        @Scheduled(fixedRate = 1, timeUnit = TimeUnit.DAYS)
        @Locked(name = "throw", ttl = "1m")
        public void throwing() {
            ran.names.add("throw");
        }

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        @Locked(name = "other", ttl = "1m", fallback = "instead")
        public void withFallback() {
            ran.names.add("other");
        }

        void instead() {
            ran.names.add("instead");
        }

        @Scheduled(cron = "0 0 0 1 1 *")
        @Locked(name = "wait", ttl = "1m", waitAtMost = "1m")
        public void waiting() {
            ran.names.add("wait");
        }

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        @Locked(name = "mono", ttl = "1m")
        public Mono<String> mono() {
            return Mono.fromRunnable(() -> ran.names.add("mono"));
        }

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        @Locked(name = "flux", ttl = "1m", whenContended = WhenContended.SKIP)
        public Flux<String> flux() {
            return Flux.defer(() -> {
                ran.names.add("flux");
                return Flux.empty();
            });
        }
    }

    /** A service whose caller needs to know that nothing was done. */
    static class Service {
        private final Ran ran;

        Service(Ran ran) {
            this.ran = ran;
        }

        @Locked(name = "service", ttl = "1m")
        public void work() {
            ran.names.add("service");
        }

        @Locked(name = "stage", ttl = "1m", whenContended = WhenContended.SKIP)
        public CompletableFuture<String> stage() {
            ran.names.add("stage");
            return CompletableFuture.completedFuture("done");
        }
    }

    /** A schedule that calls the service. */
    static class ThroughService {
        private final Service service;

        ThroughService(Service service) {
            this.service = service;
        }

        @Scheduled(cron = "0 0 0 1 1 *")
        public void tick() {
            service.work();
        }
    }

    /** A schedule that waits for a stage of the service, which Spring does not permit as a scheduled method. */
    static class Stage {
        private final Service service;

        Stage(Service service) {
            this.service = service;
        }

        @Scheduled(cron = "0 0 0 1 1 *")
        public void tick() {
            service.stage().join();
        }
    }

    /** A schedule with a client of its own. */
    static class Direct {
        private final LockClient locks;
        private final Ran ran;

        Direct(LockClient locks, Ran ran) {
            this.locks = locks;
            this.ran = ran;
        }

        @Scheduled(cron = "0 0 0 1 1 *")
        public void tick() throws InterruptedException {
            locks.withLock(
                    LockRequest.of("direct", Duration.ofMinutes(1)).fixedLease(), lock -> ran.names.add("direct"));
        }
    }

    /** A schedule under a lock of ShedLock, whose advisor alone knows the provider. */
    static class Shed {
        private final ObjectProvider<LockProvider> providers;
        private final Ran ran;
        private LockProvider provider;

        Shed(ObjectProvider<LockProvider> providers, Ran ran) {
            this.providers = providers;
            this.ran = ran;
        }

        @Scheduled(cron = "0 0 0 1 1 *")
        public void tick() {
            new DefaultLockingTaskExecutor(provider)
                    .executeWithLock(
                            (Runnable) () -> ran.names.add("shed"),
                            new LockConfiguration(Instant.now(), "shed", Duration.ofMinutes(1), Duration.ZERO));
        }

        @EventListener(ContextRefreshedEvent.class)
        public void start() {
            provider = providers.getObject();
        }
    }

    /** A bean that stops in a phase. */
    private static final class AtPhase implements SmartLifecycle {
        private final int phase;
        private final Runnable stopping;
        private boolean isRunning;

        AtPhase(int phase, Runnable stopping) {
            this.phase = phase;
            this.stopping = stopping;
        }

        @Override
        public void start() {
            isRunning = true;
        }

        @Override
        public void stop() {
            isRunning = false;
            stopping.run();
        }

        @Override
        public boolean isRunning() {
            return isRunning;
        }

        @Override
        public int getPhase() {
            return phase;
        }
    }

    /** A scheduler that ticks at one step. */
    @SuppressWarnings("serial")
    static final class Ticks extends ThreadPoolTaskScheduler {
        private final List<Tick> ticks = new CopyOnWriteArrayList<>();
        /** Ticks whose thread has begun, so that a cancellation does not stop them. */
        private final List<Runnable> begun = new CopyOnWriteArrayList<>();

        private volatile Step at;
        private volatile boolean wasStep;
        private volatile boolean isDestroyed;

        void step(Step step) {
            if (step == at) {
                wasStep = true;
                if (!isDestroyed) {
                    ticks.stream().filter(tick -> !tick.isCancelled()).forEach(Tick::run);
                }
                begun.forEach(Runnable::run);
            }
        }

        @Override
        public void destroy() {
            isDestroyed = true;
            super.destroy();
        }

        private ScheduledFuture<?> add(Runnable task) {
            Tick tick = new Tick(TaskUtils.decorateTaskWithErrorHandler(task, null, true));
            ticks.add(tick);
            if (!task.toString().contains("ThroughService") && !task.toString().contains("Direct")) {
                begun.add(tick);
            }
            return tick;
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
            return add(task);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
            return add(task);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant start, Duration period) {
            return add(task);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
            return add(task);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant start, Duration delay) {
            return add(task);
        }
    }

    /** A scheduled task, run by the test. */
    private static final class Tick extends CompletableFuture<Object> implements ScheduledFuture<Object>, Runnable {
        private final Runnable task;

        Tick(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            task.run();
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }
}
