package org.mongolocks.study.process.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Checker;
import org.mongolocks.study.check.Checker.Claims;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.message.ChildMessage.GrantToken;
import org.mongolocks.study.sim.server.ProtectedResources;

class RunObserverTest {
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Claims LEASED = new Claims(true, true, false);

    private final RunObserver observer = new RunObserver(true);

    private void granted(int child, int grant, long token) {
        long now = System.nanoTime();
        record(child, Op.ACQUIRE, Phase.INVOKE, grant);
        observer.record(
                child,
                new Event(
                        0,
                        System.nanoTime(),
                        0,
                        Op.ACQUIRE,
                        Phase.OK,
                        grant,
                        token,
                        0,
                        now,
                        now + TTL.toNanos(),
                        0,
                        ""));
    }

    private void record(int child, Op op, Phase phase, int grant) {
        observer.record(child, new Event(0, System.nanoTime(), 0, op, phase, grant, 0, 0, 0, 0, 0, ""));
    }

    private List<Finding> found() {
        return Checker.check(observer.history(TTL), LEASED).violations().stream()
                .map(Violation::finding)
                .toList();
    }

    @Test
    void grantsOfSeveralChildrenHaveNumbersOfTheirOwn() {
        granted(1, 1, 5);
        record(1, Op.RELEASE, Phase.INVOKE, 1);
        granted(2, 1, 6);

        assertThat(observer.history(TTL).events())
                .extracting(Event::process, Event::grant)
                .containsExactly(tuple(1, 1), tuple(1, 1), tuple(1, 1), tuple(2, 2), tuple(2, 2));
    }

    @Test
    void simultaneousHoldersAreFound() {
        granted(1, 1, 5);
        granted(2, 1, 6);

        assertThat(found()).contains(Finding.HELD_TWICE, Finding.BELIEVED_TWICE);
    }

    @Test
    void aWriteIsStaleOnceAHolderWithALargerTokenHasRead() {
        granted(1, 1, 5);
        ProtectedResources.Values read = observer.read(1, new GrantToken(1, 5));
        record(1, Op.RELEASE, Phase.INVOKE, 1);
        granted(2, 1, 6);
        observer.read(2, new GrantToken(1, 6));
        observer.write(1, new GrantToken(1, 5), read);

        assertThat(found()).containsExactly(Finding.STALE_UNFENCED, Finding.STALE_FENCED);
    }

    @Test
    void staleWritesAreNotMarkedWithoutTokens() {
        RunObserver tokenless = new RunObserver(false);
        ProtectedResources.Values read = tokenless.read(1, new GrantToken(1, 1));
        tokenless.read(2, new GrantToken(1, 1));
        tokenless.write(1, new GrantToken(1, 1), read);

        assertThat(tokenless.history(TTL).events()).allMatch(event -> event.commit() == 0);
    }

    @Test
    void aLostUpdateIsFoundInTheOrderInWhichWritesArrive() {
        granted(1, 1, 5);
        ProtectedResources.Values read = observer.read(1, new GrantToken(1, 5));
        observer.write(1, new GrantToken(1, 5), read);
        observer.write(1, new GrantToken(1, 5), read);

        assertThat(found()).containsExactly(Finding.UPDATE_LOST);
    }

    @Test
    void awaitReturnsWhenTheConditionBecomesTrue() throws Exception {
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return observer.await(() -> observer.grants() == 1, Duration.ofMinutes(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        granted(1, 1, 5);

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void awaitReturnsFalseAtItsTimeout() throws InterruptedException {
        assertThat(observer.await(() -> false, Duration.ZERO)).isFalse();
    }

    @Test
    void awaitThrowsTheFirstFailure() {
        observer.fail(new RunFailedException("first"));
        observer.fail(new RunFailedException("second"));

        assertThatThrownBy(() -> observer.await(() -> false, Duration.ofMinutes(1)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("first");
    }
}
