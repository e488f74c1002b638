package org.mongolocks.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockEvent;
import org.mongolocks.LockEvent.Kind;
import org.mongolocks.LockName;

class LockEventDeliveryTest {
    private static final long TIMEOUT_SECONDS = 30;

    private final BlockingQueue<LockEvent> received = new LinkedBlockingQueue<>();

    @Test
    void eventsArriveInOrderOnADaemonThread() throws InterruptedException {
        List<Boolean> daemons = new CopyOnWriteArrayList<>();
        LockEventDelivery events = new LockEventDelivery(event -> {
            daemons.add(Thread.currentThread().isDaemon());
            received.add(event);
        });

        events.onEvent(event(Kind.ACQUIRED));
        events.onEvent(event(Kind.RELEASED));

        assertThat(next().kind()).isEqualTo(Kind.ACQUIRED);
        assertThat(next().kind()).isEqualTo(Kind.RELEASED);
        assertThat(daemons).containsExactly(true, true);
    }

    @Test
    void anObserverThatThrowsGetsTheNextEvent() throws InterruptedException {
        LockEventDelivery events = new LockEventDelivery(event -> {
            received.add(event);
            throw new IllegalStateException("for a test");
        });

        events.onEvent(event(Kind.ACQUIRED));
        events.onEvent(event(Kind.LOST));

        assertThat(next().kind()).isEqualTo(Kind.ACQUIRED);
        assertThat(next().kind()).isEqualTo(Kind.LOST);
    }

    @Test
    void anObserverThatBlocksDelaysNoCallerAndMissesWhatIsTooMuch() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        LockEventDelivery events = new LockEventDelivery(event -> {
            entered.countDown();
            await(blocked);
            received.add(event);
        });
        events.onEvent(event(Kind.WAITING));
        await(entered);

        for (int i = 0; i < LockEventDelivery.MAX_PENDING + 5; i++) {
            events.onEvent(event(Kind.RENEWED));
        }
        blocked.countDown();

        assertThat(next().kind()).isEqualTo(Kind.WAITING);
        for (int i = 0; i < LockEventDelivery.MAX_PENDING; i++) {
            assertThat(next().kind()).isEqualTo(Kind.RENEWED);
        }
        events.onEvent(event(Kind.LOST));
        assertThat(next().kind()).as("after the dropped ones").isEqualTo(Kind.LOST);
    }

    private LockEvent next() throws InterruptedException {
        @Nullable LockEvent event = received.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return event;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static LockEvent event(Kind kind) {
        return LockEvent.of(kind, LockName.of("a"), "fake");
    }
}
