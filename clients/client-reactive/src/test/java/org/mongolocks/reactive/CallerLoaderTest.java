package org.mongolocks.reactive;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.reactivestreams.client.MongoCollection;
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
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import reactor.core.publisher.Mono;

/**
 * Tests of the context class loader and the subscriber context of code that the library calls: the loader is that of the
 * thread that has handed the code over, on whatever thread it is called.
 */
@ExtendWith(DroppedDatabase.class)
class CallerLoaderTest {
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final Duration SOON = Duration.ofSeconds(60);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String name = "loader-" + UUID.randomUUID();
    private final LockRequest request = LockRequest.of(name, TTL);
    private final MultiLockRequest several =
            MultiLockRequest.of(List.of(name), TTL).fixedLease();
    private final ReactiveLockClient locks = PlainClient.on(connection);
    private final ClassLoader loader = new URLClassLoader(new URL[0], getClass().getClassLoader());
    private final List<ClassLoader> seen = new CopyOnWriteArrayList<>();
    private final List<Object> contexts = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        locks.close();
    }

    /** Hands code over, and returns what is to be subscribed to on another thread. */
    @FunctionalInterface
    private interface Entry {
        Mono<?> handOver(CallerLoaderTest test);
    }

    /** Those of the API which take code, by method, and one that emits on a thread of the library. */
    private static Map<String, Entry> entries() {
        Map<String, Entry> entries = new TreeMap<>();
        entries.put("onLost", test -> {
            ReactiveHeldLock lock = test.held();
            lock.onLost((lease, reason) -> test.record());
            return test.lose(lock);
        });
        entries.put("onEndangered", test -> {
            ReactiveHeldLock lock = test.held();
            lock.onEndangered(TTL.minusMillis(1), (lease, left) -> test.record());
            return Mono.fromSupplier(lock::isHeld);
        });
        entries.put("withLock", test -> test.locks.withLock(test.request, lock -> test.work()));
        entries.put("tryWithLock", test -> test.locks.tryWithLock(test.request, lock -> test.work()));
        entries.put("callWithLock", test -> test.locks.callWithLock(test.request, lock -> test.work()));
        entries.put("tryCallWithLock", test -> test.locks.tryCallWithLock(test.request, lock -> test.work()));
        entries.put("withLocks", test -> test.locks.withLocks(test.several, set -> test.work()));
        entries.put("tryWithLocks", test -> test.locks.tryWithLocks(test.several, set -> test.work()));
        entries.put("inTransaction", test -> test.held().inTransaction(session -> test.work()));
        entries.put("update", test -> {
            Mono.from(test.documents().insertOne(new Document("_id", test.name)))
                    .block(SOON);
            return ReactiveOptimisticCollection.of(test.documents()).update(test.name, found -> {
                test.record();
                return found;
            });
        });
        return entries;
    }

    private static Map<String, Entry> more() {
        return Map.of(
                "work of an owner",
                test -> test.locks.reentrant("owner").withLock(test.request, lock -> test.work()),
                "work of an owner that enters",
                test -> {
                    Mono<Void> inner = test.locks.reentrant("owner").withLock(test.request, lock -> test.work());
                    return test.locks.callWithLock(test.request, lock -> inner.thenReturn(true));
                },
                "lost",
                test -> {
                    ReactiveHeldLock lock = test.held();
                    lock.lost().subscribe(reason -> test.record());
                    return test.lose(lock);
                });
    }

    static Stream<String> methods() {
        return Stream.concat(entries().keySet().stream(), more().keySet().stream());
    }

    @ParameterizedTest
    @MethodSource("methods")
    @Tag("finds:code-without-class-loader")
    void codeHasTheLoaderOfTheThreadThatHasHandedItOver(String method) throws Exception {
        Entry entry = entries().containsKey(method) ? entries().get(method) : more().get(method);
        Mono<?> handedOver = with(loader, () -> entry.handOver(this));

        handedOver.contextWrite(context -> context.put("tenant", "a")).blockOptional(SOON);

        Eventually.isTrue("the code runs", () -> !seen.isEmpty());
        assertThat(seen).containsOnly(loader);
        assertThat(contexts).allMatch("a"::equals);
    }

    /** A new method that takes code belongs into the table. */
    @Test
    void theTableHasEveryMethodThatTakesCode() {
        Set<String> taking = Stream.of(
                        ReactiveLockClient.class,
                        ReactiveHeldLock.class,
                        ReactiveHeldLocks.class,
                        ReactiveReentrantLocks.class,
                        ReactiveOptimisticCollection.class,
                        ReactiveFencedCollection.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> Arrays.stream(method.getParameterTypes()).anyMatch(CallerLoaderTest::isCode))
                .map(method -> method.getName())
                .collect(toCollection(TreeSet::new));

        assertThat(taking).isEqualTo(entries().keySet());
    }

    private static boolean isCode(Class<?> type) {
        return type.isAnnotationPresent(FunctionalInterface.class)
                || Set.of(LockLostListener.class, LockEndangeredListener.class).contains(type);
    }

    /** Records where the function, the subscription and the request run, and the context of the subscriber. */
    private Mono<Boolean> work() {
        record();
        return Mono.deferContextual(context -> {
            record();
            contexts.add(context.getOrDefault("tenant", "none"));
            return Mono.fromSupplier(() -> {
                record();
                return true;
            });
        });
    }

    private void record() {
        seen.add(Thread.currentThread().getContextClassLoader());
    }

    private ReactiveHeldLock held() {
        return locks.acquire(request).blockOptional(SOON).orElseThrow();
    }

    private Mono<Boolean> lose(ReactiveHeldLock lock) {
        return locks.inspect(name).flatMap(locks::forceRelease).then(Mono.defer(lock::renew));
    }

    private MongoCollection<Document> documents() {
        return connection.reactive().getDatabase(ContractServer.DATABASE).getCollection("loaders");
    }

    private static <T> T with(ClassLoader loader, Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setContextClassLoader(loader);
        thread.start();
        return task.get();
    }
}
