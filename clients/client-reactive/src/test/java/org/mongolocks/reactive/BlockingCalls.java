package org.mongolocks.reactive;

import com.mongodb.reactivestreams.client.MongoCollection;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.bson.Document;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A program that calls the reactive API on threads that must not block, in a process that has not called it before, and
 * prints which calls block.
 */
final class BlockingCalls {
    static final String BLOCKS = "BLOCKS";
    static final String DONE = "DONE";

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Set<String> FOUND = new ConcurrentSkipListSet<>();

    private BlockingCalls() {}

    public static void main(String[] args) {
        DriverClients connection = DriverClients.shared(ServerFinder.found().uri());
        BlockHound.builder()
                .loadIntegrations()
                .blockingMethodCallback(method -> FOUND.add(method + place(new Throwable().getStackTrace())))
                .install();

        callAll(connection);

        FOUND.forEach(blocking -> System.out.println(BLOCKS + " " + blocking));
        System.out.println(DONE);
        System.exit(0);
    }

    private static String place(StackTraceElement[] stack) {
        StringBuilder place = new StringBuilder();
        Arrays.stream(stack)
                .filter(frame -> frame.getClassName().startsWith("org.mongolocks")
                        || frame.getClassName().startsWith("com.mongodb")
                        || frame.getClassName().startsWith("java.util.UUID"))
                .filter(frame -> !frame.getClassName().startsWith(BlockingCalls.class.getName()))
                .limit(4)
                .forEach(frame -> place.append(" < ").append(frame));
        return place.toString();
    }

    private static <T> Optional<T> call(Supplier<Mono<T>> call) {
        return Mono.defer(call).subscribeOn(Schedulers.parallel()).blockOptional(SOON);
    }

    private static void run(Supplier<Mono<?>> call) {
        call(() -> call.get().then(Mono.just(true)));
    }

    private static ReactiveLockClient client(DriverClients connection) {
        return call(() -> ReactiveLockClient.builder(connection.reactive(), ContractServer.DATABASE)
                        .drainTimeout(Duration.ZERO)
                        .strategy(new FindAndModifyCounterStrategy())
                        .observer(event -> {})
                        .build())
                .orElseThrow();
    }

    private static void callAll(DriverClients connection) {
        String name = "blocking-" + UUID.randomUUID();
        LockRequest request = LockRequest.of(name, TTL);
        MultiLockRequest several =
                MultiLockRequest.of(List.of(name + "-1", name + "-2"), TTL).fixedLease();
        ReactiveLockClient locks = client(connection);
        ReactiveLockClient others = client(connection);

        ReactiveHeldLock held = call(() -> locks.acquire(request)).orElseThrow();
        run(() -> others.tryAcquire(request));
        run(() -> Mono.fromRunnable(() -> held.onLost((lease, reason) -> {})));
        run(held::renew);
        AtomicReference<ReactiveHeldLock> waited = new AtomicReference<>();
        Mono<ReactiveHeldLock> waiting = Mono.defer(() -> others.acquire(request.waitAtMost(SOON)))
                .subscribeOn(Schedulers.parallel())
                .doOnNext(waited::set)
                .cache();
        waiting.subscribe();
        run(held::release);
        waiting.block(SOON);
        run(() -> waited.get().close());
        run(() -> locks.withLock(request, lock -> lock.inTransaction(session -> Mono.just(1))));
        run(() -> locks.tryCallWithLock(request, lock -> Mono.just(lock.fencingToken())));
        run(() -> locks.withLocks(several, set -> Mono.just(1)));
        run(() -> locks.acquireAll(several).flatMap(ReactiveHeldLocks::release));
        run(() -> locks.reentrant("owner")
                .withLock(request, lock -> locks.reentrant("owner").withLock(request, again -> Mono.just(1))));
        run(() -> locks.inspect(name));
        run(() -> locks.list(LockQuery.all()));
        run(() -> locks.acquire(request)
                .flatMap(lock ->
                        locks.inspect(name).flatMap(others::forceRelease).then(lock.renew())));
        run(() -> locks.raiseTokens(LockQuery.all(), 1));

        MongoCollection<Document> documents = connection
                .reactive()
                .getDatabase(ContractServer.DATABASE)
                .getCollection("blocking-documents", Document.class);
        Document document = new Document("_id", name).append("balance", 1);
        Mono.from(documents.insertOne(document)).block(SOON);
        run(() -> ReactiveOptimisticCollection.of(documents).update(name, found -> found.append("balance", 2)));
        run(() -> Mono.fromRunnable(() -> others.close()));
        run(locks::closeLater);
    }
}
