package org.mongolocks.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.resilience4j.retry.Retry;
import java.time.Duration;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockRequest;
import org.mongolocks.SchemaMode;
import org.mongolocks.internal.DescribedStrategy;
import org.mongolocks.internal.settings.ClientSettings.LeaseSettings;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;

class LockClientBuilderTest {
    private static final LockStrategy STRATEGY = new DescribedStrategy("demo", Set.of(), LockSchema.locksOnly());

    @Test
    void defaultsAreUsable() {
        ClientSettings settings = builder().strategy(STRATEGY).build();

        assertThat(settings.strategy()).isSameAs(STRATEGY);
        assertThat(settings.collection()).isEqualTo("locks.demo");
        assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.schema()).isEqualTo(SchemaMode.CREATE);
        assertThat(settings.polling().apply(1)).isBetween(5L, 10L);
        assertThat(settings.faults().retry().getRetryConfig().getMaxAttempts()).isEqualTo(6);
    }

    @Test
    void settingsAreApplied() {
        Retry retry = Retry.ofDefaults("own");
        ClientSettings settings = builder()
                .strategy(STRATEGY)
                .collection("my.locks")
                .commandTimeout(Duration.ofSeconds(1))
                .polling(Duration.ofMillis(4), Duration.ofMillis(4))
                .random(RandomGenerator.getDefault())
                .faultRetry(retry)
                .instance("node-1")
                .schema(SchemaMode.NONE)
                .time(() -> 42)
                .build();

        assertThat(settings.collection()).isEqualTo("my.locks");
        assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.polling().apply(9)).isBetween(2L, 4L);
        assertThat(settings.faults().retry()).isSameAs(retry);
        assertThat(settings.schema()).isEqualTo(SchemaMode.NONE);
        assertThat(settings.time().nanoTime()).isEqualTo(42);
        assertThat(settings.newOwner().instance()).isEqualTo("node-1");
    }

    @Test
    void theSkewMarginGrowsWithTheTtlUnlessItIsSet() {
        LeaseSettings usual = builder().strategy(STRATEGY).build().holding();
        LeaseSettings set = builder()
                .strategy(STRATEGY)
                .skewMargin(Duration.ofSeconds(1))
                .build()
                .holding();

        assertThat(usual.marginFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(40));
        assertThat(usual.marginFor(LockRequest.MIN_TTL)).isLessThan(LockRequest.MIN_TTL);
        assertThat(set.marginFor(Duration.ofHours(1))).isEqualTo(Duration.ofSeconds(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> set.marginFor(Duration.ofSeconds(1)))
                .withMessageContaining("exceed the skew margin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT10M0.001S"})
    void aMarginOrCloseTimeoutOutOfBoundsIsRefused(Duration found) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().skewMargin(found))
                .withMessageContaining("from PT0S to PT10M");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().closeTimeout(found))
                .withMessageContaining("from PT0S to PT10M");
    }

    @Test
    void everyOwnerIsFresh() {
        ClientSettings settings = builder().strategy(STRATEGY).build();

        assertThat(settings.newOwner()).isNotEqualTo(settings.newOwner());
    }

    @Test
    void aStrategyIsNeeded() {
        assertThatIllegalStateException().isThrownBy(() -> builder().build()).withMessageContaining("needs a strategy");
    }

    @Test
    void aRequestByNameAloneHasTheDefaults() {
        Duration minute = Duration.ofMinutes(1);
        ClientOptions<ClientSettings> builder = builder().defaultTtl(minute).defaultWait(Duration.ofSeconds(2));

        assertThat(builder().requestFactory().apply("invoice-42"))
                .isEqualTo(LockRequest.of("invoice-42", Duration.ofSeconds(30)))
                .matches(LockRequest::isKeptAlive);
        assertThat(builder.requestFactory().apply("invoice-42"))
                .isEqualTo(LockRequest.of("invoice-42", minute).waitAtMost(Duration.ofSeconds(2)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().defaultTtl(Duration.ZERO))
                .withMessageStartingWith("ttl must be from");
    }

    @Test
    void anUnknownStrategyIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().strategy("nope"))
                .withMessageContaining("No lock strategy is named 'nope'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a$b", "a\0b", "a\ud800", ".locks", "system.locks"})
    void anImpossibleCollectionIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().collection(name))
                .withMessageStartingWith("collection name must have 1 to 180 bytes of UTF-8");
    }

    @Test
    void longestCollectionNameIsAccepted() {
        String longest = "é".repeat(90);

        assertThat(builder().strategy(STRATEGY).collection(longest).build().collection())
                .isEqualTo(longest);
        assertThatIllegalArgumentException().isThrownBy(() -> builder().collection(longest + "x"));
    }

    @Test
    void nullArgumentIsNamedAtOnce() {
        assertThatNullPointerException()
                .isThrownBy(() -> builder().strategy((LockStrategy) null))
                .withMessage("The strategy is null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder().schema(null))
                .withMessage("The schema mode is null");
        assertThatNullPointerException().isThrownBy(() -> builder().time(null)).withMessage("The time source is null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder().random(null))
                .withMessage("The random generator is null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder().holderInfo(null))
                .withMessage("The holder info is null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder().commandTimeout(null))
                .withMessage("The commandTimeout is null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder().closeTimeout(null))
                .withMessage("The closeTimeout is null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder().defaultTtl(null))
                .withMessage("The ttl is null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder().instance(null))
                .withMessage("The name of the instance is null");
        assertThatNullPointerException()
                .isThrownBy(() -> LockRequest.of((String) null, Duration.ofSeconds(30)))
                .withMessage("The name of the lock is null");
        assertThatNullPointerException()
                .isThrownBy(() -> LockRequest.of("x", null))
                .withMessage("The ttl is null");
        assertThatNullPointerException()
                .isThrownBy(() -> LockRequest.of("x", Duration.ofSeconds(30)).waitAtMost(null))
                .withMessage("The wait is null");
    }

    @Test
    @Tag("finds:holder-info-null")
    void nullResultOfAFunctionIsNamed() {
        LeaseSettings holding = builder()
                .strategy(STRATEGY)
                .holderInfo(() -> null)
                .timer((delay, task) -> null)
                .build()
                .holding();

        assertThatNullPointerException()
                .isThrownBy(() -> holding.holderInfo().get())
                .withMessageContaining("holderInfo returned null");
        assertThatNullPointerException()
                .isThrownBy(() -> holding.timer().orElseThrow().schedule(Duration.ZERO, () -> {}))
                .withMessage("The timer returned null instead of a Timeout");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.009S", "PT0S", "PT-1S", "PT5M0.001S"})
    void aTimeoutOutOfBoundsIsRefused(Duration limit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().commandTimeout(limit))
                .withMessageContaining("from PT0.01S to PT5M");
    }

    @Test
    void pollingOutOfBoundsIsRefused() {
        Duration second = Duration.ofSeconds(1);

        assertThatIllegalArgumentException().isThrownBy(() -> builder().polling(Duration.ZERO, second));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().polling(second, Duration.ofMillis(1)));
    }

    @Test
    void anImproperInstanceNameIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> builder().instance("a/b"));
    }

    private static ClientOptions<ClientSettings> builder() {
        return new ClientOptions<>(ClientOptions::settings);
    }
}
