package org.mongolocks.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockSnapshot;
import org.mongolocks.contract.adapter.DeliveryHook;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.LockClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What is special about a provider that waits for a reactive client, and what both providers refuse. */
class ReactiveMongoLocksLockProviderTest {
    private static final LockConfiguration REPORT =
            new LockConfiguration(Instant.EPOCH, "report", Duration.ofMinutes(10), Duration.ZERO);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.embedded().uri());
    private final String database = "shedlock-" + UUID.randomUUID();
    private final ReactiveLockClient locks = client("findandmodify-counter");
    private final ReactiveMongoLocksLockProvider provider = new ReactiveMongoLocksLockProvider(locks);

    @AfterEach
    void close() {
        locks.close();
        connection.sync().getDatabase(database).drop();
    }

    @Test
    void aThreadThatMustNotBlockIsRefused() {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> onNonBlockingThread(() -> provider.lock(REPORT)))
                .withMessageContaining("Lock 'report' could not be acquired")
                .withMessageContaining("thread 'parallel-")
                .withMessageContaining("must not block");

        assertThat(locks.inspect("report").block()).isNull();
    }

    @Test
    void anExtensionOnAThreadThatMustNotBlockIsRefused() {
        SimpleLock lock = provider.lock(REPORT).orElseThrow();

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> onNonBlockingThread(() -> lock.extend(Duration.ofMinutes(20), Duration.ZERO)))
                .withMessageContaining("must not block");

        assertThat(isHeld()).isTrue();
    }

    @Test
    void anUnlockOnAThreadThatMustNotBlockReleasesWithoutWaiting() throws Exception {
        SimpleLock lock = provider.lock(REPORT).orElseThrow();

        onNonBlockingThread(() -> {
            lock.unlock();
            return true;
        });

        BackgroundTask.Eventually.isTrue("the lock is free", () -> !isHeld());
    }

    /** The last moment: the client has delivered the lock, and the thread that waits has not received it. */
    @Test
    void lockThatIsUnderWayAtTheMomentOfTheInterruptIsReleased() throws Exception {
        CompletableFuture<Throwable> failed = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                failed.completeExceptionally(new AssertionError("Acquired: " + provider.lock(REPORT)));
            } catch (LockException e) {
                failed.complete(e);
            }
        });
        DeliveryHook hook = DeliveryHook.before(() -> interruptAndAwaitEnd(waiting));
        try {
            waiting.start();
            assertThat(failed.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(InterruptedException.class);
        } finally {
            hook.close();
        }

        BackgroundTask.Eventually.isTrue("the lock was acquired and is free", this::isReleased);
    }

    private boolean isReleased() {
        LockSnapshot found = locks.inspect("report").block();
        return found != null && !found.isHeld();
    }

    private static void interruptAndAwaitEnd(Thread thread) {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aStrategyThatTakesOverOnlyWhileItWaitsIsRefused() throws InterruptedException {
        try (ReactiveLockClient reactive = client("optimistic-version-clock-free");
                LockClient sync = LockClient.builder(connection.sync(), database)
                        .drainTimeout(Duration.ZERO)
                        .strategy("optimistic-version-clock-free")
                        .build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new ReactiveMongoLocksLockProvider(reactive))
                    .withMessageContaining("optimistic-version-clock-free");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new MongoLocksLockProvider(sync))
                    .withMessageContaining("optimistic-version-clock-free");
        }
    }

    /** An application has one of the two clients. */
    @Test
    void eachProviderIsUsableWithoutTheOtherClient() throws Exception {
        try (URLClassLoader withoutSync = withoutPackage("org.mongolocks.sync.");
                URLClassLoader withoutReactive = withoutPackage("org.mongolocks.reactive.")) {
            Class<?> reactive = withoutSync.loadClass(ReactiveMongoLocksLockProvider.class.getName());
            Class<?> sync = withoutReactive.loadClass(MongoLocksLockProvider.class.getName());

            assertThat(reactive.getConstructors()[0].getParameterTypes()[0].getSimpleName())
                    .isEqualTo("ReactiveLockClient");
            assertThat(sync.getConstructors()[0].getParameterTypes()[0].getSimpleName())
                    .isEqualTo("LockClient");
            assertThat(reactive.getDeclaredMethods()).isNotEmpty();
            assertThat(sync.getDeclaredMethods()).isNotEmpty();
        }
    }

    private static URLClassLoader withoutPackage(String excluded) {
        URL[] classPath = Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                .map(ReactiveMongoLocksLockProviderTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.startsWith(excluded)) {
                    throw new ClassNotFoundException(name);
                }
                return super.findClass(name);
            }
        };
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (java.net.MalformedURLException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    private static <T> T onNonBlockingThread(Callable<T> call) {
        return Mono.fromCallable(call)
                .subscribeOn(Schedulers.parallel())
                .blockOptional()
                .orElseThrow();
    }

    private ReactiveLockClient client(String strategy) {
        return ReactiveLockClient.builder(connection.reactive(), database)
                .drainTimeout(Duration.ZERO)
                .strategy(strategy)
                .build()
                .blockOptional()
                .orElseThrow();
    }

    private boolean isHeld() {
        return Optional.ofNullable(locks.inspect("report").block())
                .filter(LockSnapshot::isHeld)
                .isPresent();
    }
}
