package org.mongolocks.sync;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.LockObserver;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/** Tests of the context class loader of code that the library calls: it is that of the thread that has handed it over. */
@ExtendWith(DroppedDatabase.class)
class CallerLoaderTest {
    private static final Duration TTL = Duration.ofMinutes(5);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String collection = "loaders-" + UUID.randomUUID();
    private final LockName name = LockName.of("loader-" + UUID.randomUUID());
    private final LockRequest request = LockRequest.of(name, TTL);
    private final MultiLockRequest several =
            MultiLockRequest.of(List.of(name.value()), TTL).fixedLease();
    private final List<LockClient> clients = new CopyOnWriteArrayList<>();
    private final LockClient locks = build(builder());
    private final ClassLoader loader = new URLClassLoader(new URL[0], getClass().getClassLoader());
    private static final long AHEAD_OF_THE_CLOCK = 1L << 50;

    private final List<ClassLoader> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(LockClient::close);
    }

    /** Hands code over, and returns what makes the library call it. */
    @FunctionalInterface
    private interface Entry {
        Callable<?> handOver(CallerLoaderTest test, Runnable code) throws Exception;
    }

    /** Those of the API which take code, by method. */
    private static Map<String, Entry> entries() {
        Map<String, Entry> entries = new TreeMap<>();
        entries.put("holderInfo", (test, code) -> {
            LockClient client = test.build(test.builder().holderInfo(() -> {
                code.run();
                return HolderInfo.none();
            }));
            return () -> client.acquire(test.request);
        });
        entries.put("observer", (test, code) -> {
            LockClient client = test.build(test.builder().observer(event -> code.run()));
            return () -> client.acquire(test.request);
        });
        entries.put("listenerExecutor", (test, code) -> {
            LockClient client = test.build(test.builder().listenerExecutor(task -> code.run()));
            return () -> test.lose(client, client.acquire(test.request));
        });
        entries.put("onTokenWentBack", (test, code) -> {
            LockClient client = test.build(test.builder().onTokenWentBack((granted, newest) -> code.run()));
            return () -> {
                client.withLock(test.request, lock -> {});
                test.documents().updateMany(new Document(), Updates.set("fence", AHEAD_OF_THE_CLOCK));
                client.withLock(test.request, lock -> {});
                test.documents().deleteMany(new Document());
                assertThatExceptionOfType(TokenWentBackException.class).isThrownBy(() -> client.acquire(test.request));
                return true;
            };
        });
        entries.put("onLost", (test, code) -> {
            HeldLock lock = test.locks.acquire(test.request);
            lock.onLost((lease, reason) -> code.run());
            return () -> test.lose(test.locks, lock);
        });
        entries.put("onEndangered", (test, code) -> {
            HeldLock lock = test.locks.acquire(test.request);
            lock.onEndangered(TTL.minusMillis(1), (lease, left) -> code.run());
            return lock::isHeld;
        });
        entries.put("withLock", (test, code) -> {
            test.locks.withLock(test.request, lock -> code.run());
            return () -> true;
        });
        entries.put("tryWithLock", (test, code) -> {
            assertThat(test.locks.tryWithLock(test.request, lock -> code.run())).isTrue();
            return () -> true;
        });
        entries.put("tryCallWithLock", (test, code) -> {
            assertThat(test.locks.tryCallWithLock(test.request, lock -> test.called(code)))
                    .isPresent();
            return () -> true;
        });
        entries.put("callWithLock", (test, code) -> {
            boolean done = test.locks.callWithLock(test.request, lock -> test.called(code));
            return () -> done;
        });
        entries.put("withLocks", (test, code) -> {
            test.locks.withLocks(test.several, set -> code.run());
            return () -> true;
        });
        entries.put("tryWithLocks", (test, code) -> {
            assertThat(test.locks.tryWithLocks(test.several, set -> code.run())).isTrue();
            return () -> true;
        });
        entries.put("inTransaction", (test, code) -> {
            boolean done = test.locks.acquire(test.request).inTransaction(session -> test.called(code));
            return () -> done;
        });
        entries.put("update", (test, code) -> {
            test.documents().insertOne(new Document("_id", 1));
            assertThat(OptimisticCollection.of(test.documents()).update(1, found -> {
                        code.run();
                        return found;
                    }))
                    .isPresent();
            return () -> true;
        });
        return entries;
    }

    static Set<String> methods() {
        return entries().keySet();
    }

    @ParameterizedTest
    @MethodSource("methods")
    @Tag("finds:code-without-class-loader")
    void codeHasTheLoaderOfTheThreadThatHasHandedItOver(String method) throws Exception {
        ClassLoader own = Thread.currentThread().getContextClassLoader();
        Callable<?> trigger = with(loader, () -> entries().get(method).handOver(this, this::record));

        Object unused = trigger.call();

        Eventually.isTrue("the code runs", () -> !seen.isEmpty());
        assertThat(seen.get(0)).isSameAs(loader);
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(own);
    }

    /** A new method that takes code belongs into the table. */
    @Test
    void theTableHasEveryMethodThatTakesCode() {
        Set<String> taking = Stream.of(
                        LockClient.class,
                        LockClientBuilder.class,
                        HeldLock.class,
                        HeldLocks.class,
                        ReentrantLocks.class,
                        DistributedLock.class,
                        OptimisticCollection.class,
                        FencedCollection.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> Arrays.stream(method.getParameterTypes()).anyMatch(CallerLoaderTest::isCode))
                .map(method -> method.getName())
                .collect(toCollection(TreeSet::new));

        assertThat(taking).isEqualTo(methods());
    }

    private static boolean isCode(Class<?> type) {
        return type.isAnnotationPresent(FunctionalInterface.class)
                || Set.of(Executor.class, LockObserver.class, LockLostListener.class, LockEndangeredListener.class)
                        .contains(type);
    }

    static Stream<ClassLoader> otherLoaders() throws Exception {
        URL[] copy = {
            LockStrategy.class.getProtectionDomain().getCodeSource().getLocation(),
            LockStrategies.all()
                    .get(0)
                    .getClass()
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
        };
        return Stream.of(
                ClassLoader.getPlatformClassLoader(),
                new URLClassLoader(new URL[0], ClassLoader.getPlatformClassLoader()),
                new URLClassLoader(copy, ClassLoader.getPlatformClassLoader()),
                new URLClassLoader(copy, CallerLoaderTest.class.getClassLoader()),
                CallerLoaderTest.class.getClassLoader(),
                null);
    }

    /** A pool of the JVM has its own loader, another application its own copy of the library. */
    @ParameterizedTest
    @MethodSource("otherLoaders")
    @Tag("finds:strategies-by-context-loader")
    void aThreadWithAnyLoaderFindsEachStrategyOnce(ClassLoader other) throws Exception {
        List<String> found = with(other, LockStrategies::all).stream()
                .map(LockStrategy::name)
                .toList();

        assertThat(found)
                .isEqualTo(LockStrategies.all().stream().map(LockStrategy::name).toList())
                .contains("findandmodify-counter");
    }

    private void record() {
        seen.add(Thread.currentThread().getContextClassLoader());
    }

    private boolean called(Runnable code) {
        code.run();
        return true;
    }

    private boolean lose(LockClient client, HeldLock lock) {
        lock.onLost((lease, reason) -> {});
        return client.forceRelease(client.inspect(name).orElseThrow()) && !lock.renew();
    }

    private MongoCollection<Document> documents() {
        return connection.sync().getDatabase(ContractServer.DATABASE).getCollection(collection);
    }

    private LockClientBuilder<LockClient> builder() {
        return PlainClient.builder(connection).collection(collection);
    }

    private LockClient build(LockClientBuilder<LockClient> builder) {
        LockClient client = builder.build();
        clients.add(client);
        return client;
    }

    private static <T> T with(ClassLoader loader, Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setContextClassLoader(loader);
        thread.start();
        return task.get();
    }
}
