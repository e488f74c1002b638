package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.settings.FaultPolicy;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class FaultRetryTest {
    private static final int MAX_ATTEMPTS = 4;
    private static final Duration WAIT = Duration.ofMillis(30);

    private final Lab lab = new Lab();

    /** Each predicate rejects every retry. */
    static Stream<RetryConfig.Builder<Object>> configs() {
        return Stream.of(
                RetryConfig.custom(),
                RetryConfig.custom().retryOnException(fault -> false),
                RetryConfig.custom().retryExceptions(IllegalStateException.class),
                RetryConfig.custom().ignoreExceptions(Throwable.class),
                RetryConfig.custom().retryOnResult(result -> true).failAfterMaxAttempts(true));
    }

    @ParameterizedTest
    @MethodSource("configs")
    @Tag("finds:retry-predicate")
    void onlyIntervalAndNumberOfAttemptsOfTheRetryCount(RetryConfig.Builder<Object> config) {
        Retry retry = Retry.of(
                "user",
                config.maxAttempts(MAX_ATTEMPTS)
                        .intervalFunction(IntervalFunction.of(WAIT))
                        .build());
        List<String> events = new ArrayList<>();
        retry.getEventPublisher()
                .onEvent(event -> events.add(event.getEventType().name()));

        assertThat(attemptsUntilEnough(retry)).isEqualTo(MAX_ATTEMPTS);

        assertThat(lab.pauses).containsExactly(WAIT, WAIT, WAIT);
        assertThat(events).hasSize(MAX_ATTEMPTS);
    }

    @ParameterizedTest
    @MethodSource("configs")
    void anAnswerBeginsTheCountAgain(RetryConfig.Builder<Object> config) {
        Retry retry = Retry.of(
                "user",
                config.maxAttempts(2)
                        .intervalFunction(IntervalFunction.of(WAIT))
                        .build());
        FaultRetry faults = FaultRetry.lasting(settings(retry), Duration.ofHours(1));

        for (int round = 0; round < MAX_ATTEMPTS; round++) {
            assertThat(again(faults)).isTrue();
            faults.reset();
        }
        assertThat(again(faults)).isTrue();
        assertThat(again(faults)).isFalse();
    }

    @Test
    void refusalsBecauseOfLoadEndWithTheDeadlineOnly() {
        Reply.Failed refusal = refusal();
        FaultRetry faults = FaultRetry.lasting(settings(twice()), WAIT.multipliedBy(20));

        int refusals = 0;
        while (again(faults, refusal)) {
            refusals++;
        }

        assertThat(refusals).isEqualTo(20);
        assertThat(lab.pauses).containsOnly(WAIT);
    }

    @Test
    void refusalsBecauseOfLoadLeaveTheAttemptsForOtherFaults() {
        Reply.Failed refusal = refusal();
        FaultRetry faults = FaultRetry.lasting(settings(twice()), Duration.ofHours(1));

        for (int i = 0; i < 5; i++) {
            assertThat(again(faults, refusal)).isTrue();
        }

        assertThat(again(faults)).isTrue();
        assertThat(again(faults)).isFalse();
    }

    private static Retry twice() {
        RetryConfig config = RetryConfig.custom()
                .maxAttempts(2)
                .intervalFunction(IntervalFunction.of(WAIT))
                .build();
        return Retry.of("user", config);
    }

    private static Reply.Failed refusal() {
        BsonDocument reply = BsonDocument.parse("{ok: 0, code: 462}");
        return new Reply.Failed(Fault.NOT_SENT, new MongoCommandException(reply, new ServerAddress()));
    }

    private int attemptsUntilEnough(Retry retry) {
        FaultRetry faults = FaultRetry.lasting(settings(retry), Duration.ofHours(1));
        int attempts = 1;
        while (again(faults)) {
            attempts++;
        }
        return attempts;
    }

    private boolean again(FaultRetry faults) {
        return again(faults, FakeStrategy.failure(Fault.TRANSIENT));
    }

    private boolean again(FaultRetry faults, Reply.Failed failure) {
        return lab.result(faults.retryOrElse(failure, () -> Step.done(true), () -> Step.done(false)));
    }

    private ClientSettings settings(Retry retry) {
        ClientSettings plain = lab.settings(new FakeStrategy());
        return new ClientSettings(
                plain.strategy(),
                plain.collection(),
                plain.commandTimeout(),
                plain.polling(),
                FaultPolicy.ofUser(retry),
                plain.time(),
                plain.instance(),
                plain.grants(),
                plain.schema(),
                plain.holding(),
                plain.tokens());
    }
}
