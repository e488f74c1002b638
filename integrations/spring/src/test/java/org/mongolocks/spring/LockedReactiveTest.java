package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mongolocks.spring.LockingScene.TTL;
import static org.mongolocks.spring.LockingScene.soon;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockLostException;
import org.mongolocks.sync.HeldLock;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tests of methods that return a publisher. */
class LockedReactiveTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private LockingScene scene;
    private Bean bean;

    @BeforeEach
    void open() throws InterruptedException {
        scene = new LockingScene();
        bean = scene.bean(Bean.class);
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** A bean whose methods return what a test passes. */
    static class Bean {
        @Locked("reactive")
        public <T> Mono<T> mono(Supplier<Mono<T>> work) {
            return work.get();
        }

        @Locked("reactive")
        public <T> Flux<T> flux(Supplier<Flux<T>> work) {
            return work.get();
        }

        @Locked("#{#name}")
        public Mono<String> named(String name) {
            return Mono.just(name);
        }

        @Locked("#{#name}")
        public Flux<String> namedFlux(String name) {
            return Flux.just(name);
        }

        @Locked("reactive")
        public Publisher<String> publisher() {
            return Flux.just("a", "b");
        }

        @Locked("reactive")
        public Mono<String> failing() throws IOException {
            throw new IOException("a method that fails, for a test");
        }

        @Locked(name = "reactive", fixedLease = true)
        public <T> Flux<T> withoutKeepAlive(Supplier<Flux<T>> work) {
            return work.get();
        }

        @Locked(name = "reactive", whenContended = WhenContended.SKIP)
        public Mono<String> skipMono(Mono<String> work) {
            return work;
        }

        @Locked(name = "reactive", whenContended = WhenContended.SKIP)
        public Flux<String> skipFlux(Flux<String> work) {
            return work;
        }

        @Locked(name = "reactive", fallback = "insteadOfMono")
        public Mono<String> fallbackMono(Mono<String> work) {
            return work;
        }

        @SuppressWarnings("unused")
        private Mono<String> insteadOfMono(Mono<String> work) {
            return Mono.just("instead");
        }

        @Locked(name = "reactive", fallback = "insteadOfFlux")
        public Flux<String> fallbackFlux(Flux<String> work) {
            return work;
        }

        @SuppressWarnings("unused")
        private Flux<String> insteadOfFlux(Flux<String> work) {
            return Flux.just("instead");
        }

        public Mono<Long> throughThis() {
            return token();
        }

        @Locked("reactive")
        public Mono<Long> token() {
            return CurrentReactiveLock.get().map(lock -> lock.fencingToken());
        }
    }

    /** Returns whether the lock is held, read while a publisher is at work. */
    private Mono<Boolean> isHeldMono() {
        return scene.reactiveLocks.inspect("reactive").map(lock -> lock.isHeld());
    }

    private boolean isHeld() throws InterruptedException {
        return scene.isHeld("reactive");
    }

    @Test
    void monoIsLockedForEachSubscription() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Mono<Boolean> mono = bean.mono(() -> {
            calls.incrementAndGet();
            return isHeldMono();
        });
        assertThat(calls).hasValue(0);
        assertThat(isHeld()).isFalse();

        assertThat(mono.block(LIMIT)).isTrue();
        assertThat(isHeld()).isFalse();
        assertThat(mono.block(LIMIT)).isTrue();

        assertThat(calls).hasValue(2);
    }

    @Test
    void monoThatEmitsIsNotCancelled() {
        AtomicBoolean isCancelled = new AtomicBoolean();

        assertThat(bean.mono(() -> Mono.just("done").hide().doOnCancel(() -> isCancelled.set(true)))
                        .block(LIMIT))
                .isEqualTo("done");
        assertThat(bean.<String>mono(Mono::empty).blockOptional(LIMIT)).isEmpty();

        assertThat(isCancelled).isFalse();
    }

    @Test
    void fluxIsLockedUntilItsEnd() throws Exception {
        Flux<Boolean> flux = bean.flux(() -> Flux.range(0, 3).concatMap(i -> isHeldMono()));

        assertThat(flux.collectList().block(LIMIT)).containsExactly(true, true, true);

        assertThat(isHeld()).isFalse();
    }

    @Test
    void fluxIsLockedUntilItIsCancelled() throws Exception {
        AtomicBoolean isCancelled = new AtomicBoolean();
        List<String> seen = new CopyOnWriteArrayList<>();
        Disposable subscription = bean.flux(
                        () -> Flux.<String>never().startWith("a").doOnCancel(() -> isCancelled.set(true)))
                .subscribe(seen::add);
        soon("the first element has come", () -> seen.size() == 1);
        assertThat(isHeld()).isTrue();

        subscription.dispose();

        soon("the lock is released", () -> !isHeld());
        assertThat(isCancelled).isTrue();
    }

    @Test
    void fluxEmitsNoMoreThanRequested() throws Exception {
        List<Long> requested = new CopyOnWriteArrayList<>();
        List<Integer> seen = new CopyOnWriteArrayList<>();
        BaseSubscriber<Integer> slow = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                request(2);
            }

            @Override
            protected void hookOnNext(Integer value) {
                seen.add(value);
            }
        };
        bean.flux(() -> Flux.range(0, 10).doOnRequest(requested::add)).subscribe(slow);

        soon("two elements have come", () -> seen.size() == 2);

        assertThat(requested).containsExactly(2L);
        assertThat(isHeld()).isTrue();
        slow.cancel();
    }

    @Test
    void publisherIsLockedAsAFlux() {
        assertThat(Flux.from(bean.publisher()).collectList().block(LIMIT)).containsExactly("a", "b");
    }

    @Test
    void cancelledMonoReleasesItsLock() throws Exception {
        AtomicBoolean isWorking = new AtomicBoolean();
        Disposable subscription = bean.mono(() -> Mono.never().doOnSubscribe(s -> isWorking.set(true)))
                .subscribe();
        soon("the work has begun", isWorking::get);
        assertThat(isHeld()).isTrue();

        subscription.dispose();

        soon("the lock is released", () -> !isHeld());
    }

    @Test
    void contendedPublisherIsEmptyOrThatOfTheFallback() throws Exception {
        try (HeldLock held = scene.holdElsewhere("reactive")) {
            assertThat(bean.skipMono(Mono.just("done")).blockOptional(LIMIT)).isEmpty();
            assertThat(bean.skipFlux(Flux.just("done")).collectList().block(LIMIT))
                    .isEmpty();
            assertThat(bean.fallbackMono(Mono.just("done")).block(LIMIT)).isEqualTo("instead");
            assertThat(bean.fallbackFlux(Flux.just("done")).blockLast(LIMIT)).isEqualTo("instead");
            assertThat(held.isHeld()).isTrue();
        }

        assertThat(bean.skipMono(Mono.just("done")).block(LIMIT)).isEqualTo("done");
        assertThat(bean.skipFlux(Flux.just("a", "b")).collectList().block(LIMIT))
                .containsExactly("a", "b");
    }

    @Test
    void emptyPublisherDoesNotCallTheFallback() {
        assertThat(bean.fallbackMono(Mono.empty()).blockOptional(LIMIT)).isEmpty();
        assertThat(bean.fallbackFlux(Flux.empty()).collectList().block(LIMIT)).isEmpty();
    }

    @Test
    void contentionOfANestedPublisherIsNotSkipped() throws Exception {
        try (HeldLock held = scene.holdElsewhere("other")) {
            Mono<String> nested = scene.reactiveLocks.callWithLock("other", lock -> Mono.just("done"));
            assertThatExceptionOfType(LockContendedException.class)
                    .isThrownBy(() -> bean.skipMono(nested).block(LIMIT));
            assertThatExceptionOfType(LockContendedException.class)
                    .isThrownBy(() -> bean.fallbackFlux(nested.flux()).blockLast(LIMIT));
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void errorsPassAndReleaseTheLock() throws Exception {
        IllegalStateException failure = new IllegalStateException("a publisher that fails, for a test");

        assertThatIllegalStateException()
                .isThrownBy(() -> bean.mono(() -> Mono.error(failure)).block(LIMIT));
        assertThatIllegalStateException()
                .isThrownBy(() -> bean.flux(() -> Flux.error(failure)).blockLast(LIMIT));
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> bean.failing().block(LIMIT))
                .satisfies(e -> assertThat(Exceptions.unwrap(e)).isInstanceOf(IOException.class));

        assertThat(isHeld()).isFalse();
    }

    @Test
    void methodThatReturnsNoPublisherIsAnError() {
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> bean.mono(() -> null).block(LIMIT))
                .withMessageContaining("returned null");
    }

    @Test
    void lossCancelsThePublisher() throws Exception {
        for (Supplier<Flux<String>> locked :
                List.<Supplier<Flux<String>>>of(this::neverEndingMono, this::neverEndingFlux)) {
            cancelled.set(false);
            CompletableFuture<String> result = locked.get().next().toFuture();
            soon("the lock is held", this::isHeld);

            scene.forceRelease("reactive");
            scene.eventually("the publisher has ended", result::isDone);

            assertThat(result.handle((value, error) -> error).getNow(null)).isInstanceOf(LockLostException.class);
            soon("the work is cancelled", cancelled::get);
        }
    }

    private final AtomicBoolean cancelled = new AtomicBoolean();

    private Flux<String> neverEndingMono() {
        return bean.<String>mono(() -> Mono.<String>never().doOnCancel(() -> cancelled.set(true)))
                .flux();
    }

    private Flux<String> neverEndingFlux() {
        return bean.flux(() -> Flux.<String>never().doOnCancel(() -> cancelled.set(true)));
    }

    @Test
    void lossBeforeTheEndOfAFluxIsAnError() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> bean.withoutKeepAlive(() -> {
                            scene.server.elapse(TTL);
                            return Flux.just("done");
                        })
                        .blockLast(LIMIT));
    }

    @Test
    void publisherInsideOfWorkOfTheClientEntersItsLock() {
        Mono<Boolean> mono = scene.reactiveLocks.callWithLock(
                "reactive", lock -> bean.mono(() -> bean.token()).map(token -> token == lock.fencingToken()));
        Mono<Long> flux = scene.reactiveLocks
                .reentrant("owner")
                .tryCallWithLock(
                        scene.reactiveLocks.request("reactive"),
                        lock -> bean.flux(() -> Flux.concat(bean.token(), Mono.just(lock.fencingToken())))
                                .distinct()
                                .single());

        assertThat(mono.block(LIMIT)).isTrue();
        assertThat(flux.block(LIMIT)).isPositive();
    }

    @Test
    void reentrantWorkInsideOfAPublisherEntersItsLock() {
        Mono<List<Long>> nested = bean.mono(() -> bean.token()
                .concatWith(scene.reactiveLocks
                        .reentrant("owner")
                        .tryCallWithLock(
                                scene.reactiveLocks.request("reactive"), lock -> Mono.just(lock.fencingToken())))
                .distinct()
                .collectList());

        assertThat(nested.block(LIMIT)).hasSize(1);
    }

    @Test
    void failureBeforeTheCallIsAnErrorOfThePublisher() {
        Mono<String> mono = bean.named("");
        Flux<String> flux = bean.namedFlux("");

        assertThatIllegalArgumentException().isThrownBy(() -> mono.block(LIMIT));
        assertThatIllegalArgumentException().isThrownBy(() -> flux.blockLast(LIMIT));
        assertThat(mono.onErrorReturn("instead").block(LIMIT)).isEqualTo("instead");
    }

    @Test
    void callThroughThisIsDetectedByCurrentReactiveLock() {
        assertThatIllegalStateException()
                .isThrownBy(() -> bean.throughThis().block(LIMIT))
                .withMessageContaining("not through this");
    }
}
