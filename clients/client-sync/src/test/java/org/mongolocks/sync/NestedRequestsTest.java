package org.mongolocks.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;

/**
 * Tests of a thread that requests a lock that it holds, by each pair of ways: it enters the lock, or the request ends at
 * once, also with a wait, and says why.
 */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
@ExtendWith(DroppedDatabase.class)
class NestedRequestsTest {
    private static final Duration TTL = Duration.ofMinutes(10);
    /** Longer than a test may take: no request waits for it. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final LockClient locks = PlainClient.on(connection);
    private final LockClient others = PlainClient.on(connection);
    private final LockRequest request =
            LockRequest.of("nested-" + UUID.randomUUID(), TTL).fixedLease();
    private final LockRequest waiting = request.waitAtMost(LONG);
    private final MultiLockRequest several = MultiLockRequest.of(
                    List.of(request.name().value()), TTL)
            .fixedLease()
            .waitAtMost(LONG);

    @AfterEach
    void close() {
        locks.close();
        others.close();
    }

    /** Runs code while this thread holds the lock in one way. */
    @FunctionalInterface
    private interface Holding {
        void run(NestedRequestsTest test, Inner inner) throws Exception;
    }

    @FunctionalInterface
    private interface Inner {
        void run() throws Exception;
    }

    /** Requests the lock in one way, with a wait; returns whether it has it. */
    @FunctionalInterface
    private interface Request {
        boolean isGranted(NestedRequestsTest test) throws Exception;
    }

    private static Map<String, Holding> holdings() {
        Map<String, Holding> ways = new LinkedHashMap<>();
        ways.put("handle", (test, inner) -> {
            try (HeldLock lock = test.locks.acquire(test.request)) {
                inner.run();
                assertThat(lock.isHeld()).isTrue();
            }
        });
        ways.put("asLock", (test, inner) -> {
            DistributedLock lock = test.locks.asLock(test.request);
            lock.lock();
            try {
                inner.run();
            } finally {
                lock.unlock();
            }
        });
        ways.put("handle of a", (test, inner) -> {
            try (HeldLock lock = test.locks.reentrant("a").acquire(test.request)) {
                inner.run();
                assertThat(lock.isHeld()).isTrue();
            }
        });
        ways.put("set", (test, inner) -> {
            try (HeldLocks set = test.locks.acquireAll(test.several)) {
                inner.run();
                assertThat(set.isHeld()).isTrue();
            }
        });
        ways.put("work", (test, inner) -> test.locks.withLock(test.request, lock -> inner.run()));
        ways.put("work of a", (test, inner) -> test.locks.reentrant("a").withLock(test.request, lock -> inner.run()));
        ways.put("work of a set", (test, inner) -> test.locks.withLocks(test.several, set -> inner.run()));
        return ways;
    }

    private static Map<String, Request> requests() {
        Map<String, Request> ways = new LinkedHashMap<>();
        ways.put("handle", test -> released(test.locks.tryAcquire(test.waiting)));
        ways.put("lock", test -> {
            test.locks.asLock(test.request).lock();
            test.locks.asLock(test.request).unlock();
            return true;
        });
        ways.put("tryLock", test -> {
            DistributedLock lock = test.locks.asLock(test.request);
            boolean locked = lock.tryLock(LONG.toSeconds(), TimeUnit.SECONDS);
            if (locked) {
                lock.unlock();
            }
            return locked;
        });
        ways.put("handle of a", test -> released(test.locks.reentrant("a").tryAcquire(test.waiting)));
        ways.put("handle of b", test -> released(test.locks.reentrant("b").tryAcquire(test.waiting)));
        ways.put("set", test -> {
            Optional<HeldLocks> set = test.locks.tryAcquireAll(test.several);
            set.ifPresent(HeldLocks::close);
            return set.isPresent();
        });
        ways.put("work", test -> test.locks.callWithLock(test.waiting, lock -> true));
        ways.put("tried work", test -> test.locks.tryWithLock(test.waiting, lock -> {}));
        ways.put("work of a", test -> test.locks.reentrant("a").callWithLock(test.waiting, lock -> true));
        ways.put("work of b", test -> test.locks.reentrant("b").callWithLock(test.waiting, lock -> true));
        ways.put("work of a set", test -> {
            test.locks.withLocks(test.several, set -> {});
            return true;
        });
        return ways;
    }

    /** The pairs that enter; all others are refused. */
    private static boolean enters(String holding, String asked) {
        return switch (holding) {
            case "handle of a", "work of a" -> asked.endsWith(" of a");
            case "asLock" -> asked.endsWith("ock") || asked.matches("work of .");
            case "work", "work of a set" -> asked.matches("work of .");
            default -> false;
        };
    }

    /** Another thread may release a handle, so that a handle is worth a wait. */
    private static boolean waits(String holding, String asked) {
        return List.of("handle", "handle of a", "set").contains(holding)
                && List.of("handle", "handle of a", "handle of b", "set").contains(asked);
    }

    static Stream<Arguments> pairs() {
        return holdings().keySet().stream()
                .flatMap(holding -> requests().keySet().stream().map(asked -> Arguments.of(holding, asked)))
                .filter(pair -> enters((String) pair.get()[0], (String) pair.get()[1])
                        || !waits((String) pair.get()[0], (String) pair.get()[1]));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @Tag("finds:nested-requests-wait")
    void aThreadEntersTheLockThatItHoldsOrIsRefusedAtOnce(String holding, String asked) throws Exception {
        AtomicReference<Boolean> granted = new AtomicReference<>();
        AtomicReference<String> refusal = new AtomicReference<>("");

        holdings().get(holding).run(this, () -> {
            try {
                granted.set(requests().get(asked).isGranted(this));
            } catch (IllegalStateException | LockContendedException e) {
                granted.set(false);
                refusal.set(e.getMessage());
            }
        });

        assertThat(granted).hasValue(enters(holding, asked));
        if (!refusal.get().isEmpty()) {
            assertThat(refusal.get()).contains("is held by this very thread").doesNotContain("use reentrant(owner)");
        }
        assertThat(others.tryAcquire(request)).as("the lock is free").isPresent();
    }

    /** A handle belongs to no thread: the second request waits until another thread has released the first. */
    @Test
    void aHandleThatAnotherThreadReleasesIsWaitedFor() throws Exception {
        HeldLock first = locks.acquire(request);
        BackgroundTask<Boolean> release = BackgroundTask.run(first::release);

        assertThat(locks.tryAcquire(waiting)).isPresent();

        assertThat(release.result()).isTrue();
    }

    @Test
    @Tag("finds:nested-requests-wait")
    void workOfAnotherClientIsRefusedAtOnce() throws Exception {
        AtomicReference<String> refusal = new AtomicReference<>("");

        locks.withLock(request, lock -> {
            try {
                others.withLock(waiting, again -> {});
            } catch (IllegalStateException e) {
                refusal.set(e.getMessage());
            }
        });

        assertThat(refusal.get()).contains("is held by this very thread");
    }

    private static boolean released(Optional<HeldLock> lock) {
        lock.ifPresent(HeldLock::close);
        return lock.isPresent();
    }
}
