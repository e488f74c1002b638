package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.sync.HeldLock;

/** Tests of methods that return a {@link CompletionStage}. */
class LockedStageTest {
    private LockingScene scene;
    private Bean bean;

    @BeforeEach
    void open() throws InterruptedException {
        scene = new LockingScene();
        bean = scene.bean(Bean.class);
    }

    @AfterEach
    void close() throws Exception {
        Thread.interrupted();
        scene.close();
    }

    /** A bean whose methods return what a test passes. */
    static class Bean {
        private final CompletableFuture<String> work = new CompletableFuture<>();

        public CompletableFuture<String> work() {
            return work;
        }

        @Locked("stage")
        public CompletableFuture<String> future() {
            return work;
        }

        @Locked("stage")
        public CompletionStage<String> stage() {
            return work.minimalCompletionStage();
        }

        @Locked(name = "stage", ttl = "10m", fixedLease = true)
        public CompletionStage<String> withoutKeepAlive() {
            return work.minimalCompletionStage();
        }

        @Locked("stage")
        public @Nullable CompletionStage<String> of(Supplier<@Nullable CompletionStage<String>> start) {
            return start.get();
        }

        @Locked("#{#name}")
        public CompletableFuture<String> named(String name) {
            return work;
        }

        @Locked("stage")
        public String blocking(Supplier<String> started) {
            return started.get();
        }

        @Locked(name = "stage", whenContended = WhenContended.SKIP)
        public CompletionStage<String> skip() {
            return work;
        }

        @Locked(name = "stage", whenContended = WhenContended.SKIP)
        public CompletableFuture<Optional<String>> skipOptional() {
            return work.thenApply(Optional::of);
        }

        @Locked(name = "stage", fallback = "instead")
        public CompletionStage<String> fallback() {
            return work;
        }

        @SuppressWarnings("unused")
        private CompletableFuture<String> instead() {
            return CompletableFuture.completedFuture("instead");
        }
    }

    private static <T> T get(@Nullable CompletionStage<T> stage) throws Exception {
        return Objects.requireNonNull(stage).toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void lockIsHeldUntilTheStageHasCompleted() throws Exception {
        CompletionStage<String> stage = bean.stage();
        assertThat(scene.isHeld("stage")).isTrue();

        bean.work().complete("done");

        assertThat(get(stage)).isEqualTo("done");
        assertThat(scene.isHeld("stage")).isFalse();
    }

    @Test
    void lockIsKeptAliveUntilTheStageHasCompleted() throws Exception {
        CompletableFuture<String> stage = bean.future();

        scene.elapseThreeTtls();
        assertThat(scene.isHeld("stage")).isTrue();
        bean.work().complete("done");

        assertThat(get(stage)).isEqualTo("done");
    }

    @Test
    void failureOfTheStageIsThatOfTheResult() throws Exception {
        IOException failure = new IOException("a stage that fails, for a test");
        CompletableFuture<String> stage = bean.future();

        bean.work().completeExceptionally(failure);

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> get(stage))
                .withCause(failure);
        assertThat(scene.isHeld("stage")).isFalse();
    }

    @Test
    void exceptionOfTheMethodIsThrownAndTheLockReleased() throws Exception {
        IllegalStateException failure = new IllegalStateException("a method that fails, for a test");

        assertThatIllegalStateException()
                .isThrownBy(() -> bean.of(() -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(scene.isHeld("stage")).isFalse();
        assertThat(bean.of(() -> null)).isNull();
        assertThat(scene.isHeld("stage")).isFalse();
    }

    @Test
    void contendedStageFailsOrSkipsOrCallsTheFallback() throws Exception {
        try (HeldLock held = scene.holdElsewhere("stage")) {
            CompletableFuture<String> refused = bean.future();
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> get(refused))
                    .withCauseInstanceOf(LockContendedException.class);
            assertThat(get(bean.skip())).isNull();
            assertThat(get(bean.skipOptional())).isEmpty();
            assertThat(get(bean.fallback())).isEqualTo("instead");
            assertThat(held.isHeld()).isTrue();
        }
        CompletableFuture<Optional<String>> granted = bean.skipOptional();
        bean.work().complete("done");

        assertThat(get(granted)).contains("done");
    }

    @Test
    void interruptOfTheAcquisitionIsKept() throws Exception {
        Thread.currentThread().interrupt();
        CompletableFuture<String> stage = bean.future();

        assertThat(Thread.interrupted()).isTrue();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> get(stage))
                .withCauseInstanceOf(LockException.class);
        assertThat(scene.isHeld("stage")).isFalse();
    }

    @Test
    void lossFailsTheResultAndCancelsTheWork() throws Exception {
        CompletableFuture<String> stage = bean.future();

        scene.forceRelease("stage");
        scene.eventually(
                "the result has failed, and the work is cancelled",
                () -> stage.isDone() && bean.work().isCancelled());

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> get(stage))
                .withCauseInstanceOf(LockLostException.class);
    }

    @Test
    void cancellationCancelsTheWorkAndReleasesTheLock() throws Exception {
        CompletableFuture<String> stage = bean.future();

        stage.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> get(stage));
        assertThat(bean.work()).isCancelled();
        LockingScene.soon("the lock is released", () -> !scene.isHeld("stage"));
    }

    @Test
    void cancellationOfAStageThatCannotBeCancelledLetsTheWorkGoOn() throws Exception {
        CompletableFuture<String> stage = bean.stage().toCompletableFuture();

        assertThat(stage.cancel(true)).isTrue();

        assertThat(bean.work()).isNotDone();
        assertThat(scene.isHeld("stage")).isTrue();
        bean.work().complete("done");
        LockingScene.soon("the lock is released", () -> !scene.isHeld("stage"));
    }

    @Test
    @Tag("finds:stage-ended-early")
    void anyEarlyEndOfTheResultCancelsTheWorkAndReleasesTheLock() throws Exception {
        List<Consumer<CompletableFuture<String>>> ends = List.of(
                stage -> stage.orTimeout(1, TimeUnit.NANOSECONDS),
                stage -> stage.completeOnTimeout("late", 1, TimeUnit.NANOSECONDS),
                stage -> stage.complete("early"),
                stage -> stage.completeExceptionally(new IOException("an early failure, for a test")),
                stage -> stage.completeAsync(() -> "early"),
                stage -> stage.obtrudeValue("early"),
                stage -> stage.obtrudeException(new IOException("an early failure, for a test")));

        for (Consumer<CompletableFuture<String>> end : ends) {
            CompletableFuture<String> work = new CompletableFuture<>();
            end.accept(Objects.requireNonNull(bean.of(() -> work)).toCompletableFuture());

            LockingScene.soon("the work is cancelled", work::isCancelled);
            LockingScene.soon("the lock is released", () -> !scene.isHeld("stage"));
        }
    }

    @Test
    @Tag("finds:stage-not-failed")
    void failureBeforeTheCallFailsTheStage() throws Exception {
        try (var context = scene.context(LockingScene.Enabled.class, Bean.class)) {
            Bean other = context.getBean(Bean.class);
            CompletableFuture<String> unnamed = other.named("");
            scene.locks.close();
            CompletableFuture<String> closed = other.future();

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> get(unnamed))
                    .withCauseInstanceOf(IllegalArgumentException.class);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> get(closed))
                    .withMessageContaining("closed");
        }
    }

    @Test
    void stageCannotEnterTheLockAgainButACallCan() throws Exception {
        Supplier<CompletionStage<String>> nested = () -> Objects.requireNonNull(bean.stage());
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> get(bean.of(nested)))
                .withCauseInstanceOf(IllegalStateException.class)
                .withMessageContaining("could outlast the lock");

        assertThat(get(bean.of(() -> CompletableFuture.completedFuture(bean.blocking(() -> "inner")))))
                .isEqualTo("inner");
    }

    @Test
    void stageThatCompletesAfterTheContextIsClosedReleasesItsLock() throws Exception {
        CompletableFuture<String> stage;
        CompletableFuture<String> work;
        try (var context = scene.context(LockingScene.Enabled.class, Bean.class)) {
            Bean closed = context.getBean(Bean.class);
            work = closed.work();
            stage = closed.future();
        }

        work.complete("done");

        assertThat(get(stage)).isEqualTo("done");
        assertThat(scene.isHeld("stage")).isFalse();
    }
}
