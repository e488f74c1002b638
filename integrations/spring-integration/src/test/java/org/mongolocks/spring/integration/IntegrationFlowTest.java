package org.mongolocks.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.server.BackgroundTask;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.handler.advice.LockRequestHandlerAdvice;
import org.springframework.integration.store.MessageGroup;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.MessagingException;
import org.springframework.messaging.support.GenericMessage;

/** Flows of two instances of an application, each with a registry and a client of its own. */
class IntegrationFlowTest {
    private static final int PARTS = 4;
    private static final int ORDERS = 4;

    private final RegistryScene scene = new RegistryScene();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** Without further beans. */
    @Configuration
    @EnableIntegration
    static class Infrastructure {}

    @Test
    void aggregatorsShareTheirGroups() throws Exception {
        SimpleMessageStore store = new SimpleMessageStore();
        Groups groups = new Groups();
        List<Collection<?>> released = new CopyOnWriteArrayList<>();
        List<MessageChannel> inputs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            MongoLockRegistry registry = scene.keptAlive();
            inputs.add(input(IntegrationFlow.from("input")
                    .aggregate(parts -> parts.messageStore(store)
                            .lockRegistry(registry)
                            .correlationExpression("headers.order")
                            .releaseStrategy(groups::isComplete)
                            .expireGroupsUponCompletion(true))
                    .handle(whole -> released.add((Collection<?>) whole.getPayload()))
                    .get()));
        }

        List<BackgroundTask<Boolean>> senders = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            MessageChannel input = inputs.get(part % 2);
            String payload = "part " + part;
            senders.add(BackgroundTask.run(() -> sendAll(input, payload)));
        }
        for (BackgroundTask<Boolean> sender : senders) {
            assertThat(sender.result()).isTrue();
        }

        assertThat(released)
                .hasSize(ORDERS)
                .allSatisfy(parts -> assertThat(parts).hasSize(PARTS));
        assertThat(groups.most).hasValue(1);
    }

    private static boolean sendAll(MessageChannel input, String payload) {
        for (int order = 0; order < ORDERS; order++) {
            input.send(MessageBuilder.withPayload(payload)
                    .setHeader("order", order)
                    .build());
        }
        return true;
    }

    /** Counts how many threads look at one group at a time. */
    private static final class Groups {
        private final Map<Object, AtomicInteger> inside = new ConcurrentHashMap<>();
        private final AtomicInteger most = new AtomicInteger();

        boolean isComplete(MessageGroup group) {
            AtomicInteger mine = inside.computeIfAbsent(group.getGroupId(), id -> new AtomicInteger());
            most.accumulateAndGet(mine.incrementAndGet(), Math::max);
            boolean complete = group.size() == PARTS;
            mine.decrementAndGet();
            return complete;
        }
    }

    @Test
    void handlerIsNotCalledWhileAnotherInstanceHandlesTheKey() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        List<Object> handled = new CopyOnWriteArrayList<>();
        MessageChannel one = handlerUnderLock(message -> {
            began.countDown();
            await(end);
        });
        MessageChannel other = handlerUnderLock(message -> handled.add(message.getPayload()));
        GenericMessage<String> work = new GenericMessage<>(scene.key);
        BackgroundTask<Boolean> first = BackgroundTask.run(() -> one.send(work));
        began.await();

        assertThatExceptionOfType(MessagingException.class)
                .isThrownBy(() -> other.send(work))
                .withCauseInstanceOf(TimeoutException.class);
        assertThat(handled).isEmpty();
        other.send(new GenericMessage<>(scene.key + "-other"));
        assertThat(handled).containsExactly(scene.key + "-other");

        end.countDown();
        first.result();
        other.send(work);
        assertThat(handled).containsExactly(scene.key + "-other", scene.key);
    }

    private MessageChannel handlerUnderLock(MessageHandler handler) throws Exception {
        LockRequestHandlerAdvice advice = new LockRequestHandlerAdvice(scene.keptAlive(), Message::getPayload);
        advice.setWaitLockDuration(Duration.ZERO);
        return input(IntegrationFlow.from("input")
                .handle(handler, endpoint -> endpoint.advice(advice))
                .get());
    }

    private MessageChannel input(IntegrationFlow flow) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(Infrastructure.class);
        context.registerBean("flow", IntegrationFlow.class, () -> flow);
        context.refresh();
        ApplicationContext opened = scene.opened(context);
        return opened.getBean("input", MessageChannel.class);
    }

    private static void await(CountDownLatch point) {
        try {
            point.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
