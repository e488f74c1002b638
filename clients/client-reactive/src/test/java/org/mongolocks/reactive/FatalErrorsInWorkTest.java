package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tests of reactive work that throws an error which Reactor would signal to nobody, or returns null. */
@ExtendWith(DroppedDatabase.class)
class FatalErrorsInWorkTest {
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final LockRequest request = LockRequest.of("fatal-" + UUID.randomUUID(), TTL);
    private final ReactiveLockClient locks = ReactiveLockClient.builder(connection.reactive(), ContractServer.DATABASE)
            .drainTimeout(Duration.ZERO)
            .strategy(new FindAndModifyCounterStrategy())
            .build()
            .blockOptional(SOON)
            .orElseThrow();

    @AfterEach
    void close() {
        locks.close();
    }

    /** A call that runs work under a lock. */
    @FunctionalInterface
    private interface Call {
        Mono<?> of(ReactiveLockClient locks, LockRequest request, Function<ReactiveHeldLock, Mono<Boolean>> work);
    }

    private static Stream<Call> calls() {
        return Stream.of(
                (locks, request, work) -> locks.tryWithLock(request, work),
                (locks, request, work) -> locks.tryCallWithLock(request, work),
                (locks, request, work) -> locks.callWithLock(request, work),
                (locks, request, work) -> locks.tryWithLocks(
                        MultiLockRequest.of(List.of(request.name().value()), request.ttl())
                                .fixedLease(),
                        held -> work.apply(held.get(request.name()))),
                (locks, request, work) -> locks.reentrant("owner").tryWithLock(request, work),
                (locks, request, work) -> locks.reentrant("owner").tryCallWithLock(request, work),
                (locks, request, work) ->
                        locks.callWithLock(request, lock -> lock.inTransaction(session -> work.apply(lock))));
    }

    private static Stream<Function<ReactiveHeldLock, Mono<Boolean>>> failing(Throwable error) {
        return Stream.of(
                lock -> Mono.just(fail(error)),
                lock -> Mono.just(lock).map(held -> fail(error)),
                lock -> Mono.fromSupplier(() -> fail(error)),
                lock -> Mono.error(error),
                lock -> Mono.just(lock).hide().flatMap(held -> Mono.just(fail(error))),
                lock -> Flux.just(1, 2).filter(element -> fail(error)).then(Mono.just(true)));
    }

    static Stream<Arguments> cases() {
        Stream<Throwable> errors = Stream.of(
                new NoClassDefFoundError("for a test"),
                new InternalError("for a test"),
                new StackOverflowError("for a test"),
                Exceptions.bubble(new IllegalStateException("for a test")));
        return errors.flatMap(error ->
                calls().flatMap(call -> failing(error).map(work -> Arguments.of(error, call, work))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Tag("finds:reactive-linkage-error")
    void theErrorIsSignalledAndTheLockReleased(
            Throwable error, Call call, Function<ReactiveHeldLock, Mono<Boolean>> work) throws Exception {
        CompletableFuture<?> result = new CompletableFuture<>();
        call.of(locks, request, work).subscribe(done -> {}, result::completeExceptionally, () -> result.complete(null));

        assertThat(result.handle((done, signalled) -> signalled).get(SOON.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("for a test");
        assertThat(locks.tryAcquire(request).block(SOON)).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void workThatReturnsNullFailsWithAMessage(Call call) {
        CompletableFuture<?> result = call.of(locks, request, lock -> null).toFuture();

        assertThat(result)
                .failsWithin(SOON)
                .withThrowableThat()
                .withCauseInstanceOf(NullPointerException.class)
                .withMessageContaining("returned null instead of a publisher");
        assertThat(locks.tryAcquire(request).block(SOON)).isNotNull();
    }

    @Test
    void anErrorOfTheHolderInfoIsSignalled() {
        Supplier<CompletableFuture<?>> acquisition =
                () -> ReactiveLockClient.builder(connection.reactive(), ContractServer.DATABASE)
                        .drainTimeout(Duration.ZERO)
                        .strategy(new FindAndModifyCounterStrategy())
                        .holderInfo(() -> {
                            throw new NoClassDefFoundError("for a test");
                        })
                        .build()
                        .flatMap(client -> client.tryAcquire(request))
                        .toFuture();

        assertThat(acquisition.get())
                .failsWithin(SOON)
                .withThrowableThat()
                .withRootCauseInstanceOf(NoClassDefFoundError.class);
    }

    private static boolean fail(Throwable error) {
        if (error instanceof RuntimeException exception) {
            throw exception;
        }
        throw (Error) error;
    }
}
