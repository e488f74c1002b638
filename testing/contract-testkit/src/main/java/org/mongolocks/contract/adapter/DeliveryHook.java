package org.mongolocks.contract.adapter;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Runs an action at the last moment before a held lock of the reactive client is received: the client has delivered it,
 * and its subscriber does not have it. In force for all publishers that are assembled until it is closed.
 */
public final class DeliveryHook implements AutoCloseable {
    private final String key = "delivery-" + UUID.randomUUID();

    private DeliveryHook() {}

    /** Runs an action before each delivery, on the thread that delivers. */
    public static DeliveryHook before(Runnable action) {
        return hook(actual -> new Delivery(action, actual, Optional.empty()));
    }

    /** The same, and a {@link BaseSubscriber} is not subscribed, as its thread sees it, before it has the lock. */
    public static DeliveryHook duringSubscription(Runnable action) {
        return hook(actual -> new Delivery(
                action,
                actual,
                actual instanceof BaseSubscriber ? Optional.of(new CountDownLatch(1)) : Optional.empty()));
    }

    private static DeliveryHook hook(UnaryOperator<CoreSubscriber<? super Object>> lifted) {
        DeliveryHook hook = new DeliveryHook();
        Hooks.onEachOperator(hook.key, Operators.lift((scannable, actual) -> lifted.apply(actual)));
        return hook;
    }

    @Override
    public void close() {
        Hooks.resetOnEachOperator(key);
    }

    private record Delivery(Runnable action, CoreSubscriber<? super Object> actual, Optional<CountDownLatch> received)
            implements CoreSubscriber<Object> {
        @Override
        public void onSubscribe(Subscription subscription) {
            actual.onSubscribe(subscription);
            received.ifPresent(Delivery::await);
        }

        private static void await(CountDownLatch received) {
            try {
                received.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void onNext(Object value) {
            if (value instanceof ReactiveHeldLock) {
                action.run();
            }
            actual.onNext(value);
            received.ifPresent(CountDownLatch::countDown);
        }

        @Override
        public void onError(Throwable error) {
            actual.onError(error);
        }

        @Override
        public void onComplete() {
            actual.onComplete();
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }
    }
}
