package org.mongolocks.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockRequest;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.Leftovers;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.handler.advice.LockRequestHandlerAdvice;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/**
 * The orders of events of a context with a flow under a lock of the registry, a leader, and their client: after each of
 * them nobody holds a lock, no error is logged, and no thread is left.
 */
class IntegrationOrdersTest {
    private final RegistryScene scene = new RegistryScene();

    @AfterEach
    void close() throws Exception {
        Thread.interrupted();
        scene.close();
    }

    /** The events of an order. */
    @FunctionalInterface
    private interface Play {
        void on(Instance instance) throws Exception;
    }

    /** An order of events. */
    private record Order(String name, Play play) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Order> orders() {
        return Stream.of(
                new Order("handler returns", instance -> instance.send(() -> {})),
                new Order(
                        "handler throws",
                        instance -> instance.send(() -> {
                            throw new IllegalStateException("the handler fails");
                        })),
                new Order(
                        "handler throws an error",
                        instance -> instance.send(() -> {
                            throw new StackOverflowError("the handler fails badly");
                        })),
                new Order(
                        "handler is interrupted",
                        instance -> instance.send(() -> Thread.currentThread().interrupt())),
                new Order("nothing is sent", instance -> {}),
                new Order("context is stopped, and started again", instance -> {
                    instance.context.stop();
                    instance.context.start();
                    instance.send(() -> {});
                }),
                new Order(
                        "context is stopped while the handler works",
                        instance -> instance.send(() -> instance.context.stop())),
                new Order(
                        "context is closed while the handler works",
                        instance -> instance.send(() -> instance.context.close())),
                new Order(
                        "client is closed while the handler works",
                        instance -> instance.send(() -> instance.client.close())),
                new Order("client is closed before", instance -> {
                    instance.client.close();
                    instance.send(() -> {});
                }),
                new Order("context is closed while a message waits for its lock", Instance::closeWhileAMessageWaits),
                new Order(
                        "a bean sends as it is destroyed",
                        instance -> instance.atDestruction = () -> instance.send(() -> {})),
                new Order("message comes after the close", instance -> {
                    instance.context.close();
                    instance.send(() -> {});
                }));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void nothingIsLeftAfter(Order order) throws Exception {
        try (Leftovers leftovers = new Leftovers()) {
            Instance instance = new Instance();
            soon("it leads", () -> scene.stored(scene.key + "-leader").isPresent());

            order.play().on(instance);
            Thread.interrupted();
            instance.context.close();

            assertThat(scene.isHeld()).isFalse();
            assertThat(scene.stored(scene.key + "-leader").orElseThrow().isHeld())
                    .isFalse();
            leftovers.assertNone();
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void nothingIsLeftAfterAStartThatFails(Runnable failure) throws Exception {
        try (Leftovers leftovers = new Leftovers()) {
            Throwable failed = catchThrowable(() -> new Instance(failure));

            assertThat(failed).hasStackTraceContaining("the start fails");
            assertThat(scene.stored(scene.key + "-leader").filter(stored -> stored.isHeld()))
                    .isEmpty();
            leftovers.assertNone();
        }
    }

    static Stream<Runnable> failures() {
        return Stream.of(
                () -> {
                    throw new IllegalStateException("the start fails");
                },
                () -> {
                    throw new StackOverflowError("the start fails");
                });
    }

    /** Without further beans. */
    @Configuration
    @EnableIntegration
    static class Infrastructure {}

    /** An instance of the application. */
    private final class Instance {
        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        private final LockClient client = scene.client();
        private final List<Runnable> work = new CopyOnWriteArrayList<>();
        private Runnable atDestruction = () -> {};

        Instance() throws InterruptedException {
            this(() -> {});
        }

        Instance(Runnable lastStep) throws InterruptedException {
            MongoLockRegistry registry = new MongoLockRegistry(client, key -> LockRequest.of(key, TTL));
            LockRequestHandlerAdvice advice = new LockRequestHandlerAdvice(registry, Message::getPayload);
            advice.setWaitLockDuration(Duration.ofMinutes(1));
            context.register(Infrastructure.class);
            context.registerBean("client", LockClient.class, () -> client);
            context.registerBean(
                    "election", LeaderElection.class, () -> LeaderElection.with(context.getBean(LockClient.class)));
            context.registerBean(
                    "leader",
                    LeaderElectionInitiator.class,
                    () -> new LeaderElectionInitiator(
                            context.getBean(LeaderElection.class),
                            Candidate.of(scene.key + "-leader", TTL),
                            new DefaultLeaderEventPublisher(context)));
            context.registerBean(
                    "flow",
                    IntegrationFlow.class,
                    () -> IntegrationFlow.from("input")
                            .handle(message -> work.remove(0).run(), endpoint -> endpoint.advice(advice))
                            .get());
            context.registerBean("last", DisposableBean.class, () -> () -> atDestruction.run());
            context.addApplicationListener(
                    (org.springframework.context.event.ContextRefreshedEvent event) -> lastStep.run());
            context.refresh();
        }

        /** Sends a message to its handler; the caller gets each exception. */
        void send(Runnable handler) {
            work.add(handler);
            Throwable unused = catchThrowable(
                    () -> context.getBean("input", MessageChannel.class).send(new GenericMessage<>(scene.key)));
        }

        void closeWhileAMessageWaits() throws Exception {
            MessageChannel input = context.getBean("input", MessageChannel.class);
            try (LockClient elsewhere = scene.client();
                    HeldLock other =
                            elsewhere.acquire(LockRequest.of(scene.key, TTL).fixedLease())) {
                BackgroundTask<Throwable> waiter =
                        BackgroundTask.run(() -> catchThrowable(() -> input.send(new GenericMessage<>(scene.key))));
                soon("it waits", () -> scene.stored(scene.key).orElseThrow().waiters() == 1);

                context.close();

                assertThat(waiter.result()).hasStackTraceContaining("ClientClosedException");
                assertThat(other.isHeld()).isTrue();
            }
        }
    }
}
