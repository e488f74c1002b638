package org.mongolocks.contract.adapter;

import java.util.UUID;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
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
        DeliveryHook hook = new DeliveryHook();
        Hooks.onEachOperator(hook.key, Operators.lift((scannable, actual) -> new Delivery(action, actual)));
        return hook;
    }

    @Override
    public void close() {
        Hooks.resetOnEachOperator(key);
    }

    private record Delivery(Runnable action, CoreSubscriber<? super Object> actual) implements CoreSubscriber<Object> {
        @Override
        public void onSubscribe(Subscription subscription) {
            actual.onSubscribe(subscription);
        }

        @Override
        public void onNext(Object value) {
            if (value instanceof ReactiveHeldLock) {
                action.run();
            }
            actual.onNext(value);
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
