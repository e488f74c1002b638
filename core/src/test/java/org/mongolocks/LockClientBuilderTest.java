package org.mongolocks;

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
import org.mongolocks.ClientSettings.LeaseSettings;
import org.mongolocks.internal.DescribedStrategy;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;

class LockClientBuilderTest {
    private static final LockStrategy STRATEGY = new DescribedStrategy("demo", Set.of(), LockSchema.locksOnly());

    @Test
    void defaultsAreUsable() {
        ClientSettings settings = new Builder().strategy(STRATEGY).settings();

        assertThat(settings.strategy()).isSameAs(STRATEGY);
        assertThat(settings.collection()).isEqualTo("locks.demo");
        assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.schema()).isEqualTo(SchemaMode.CREATE);
        assertThat(settings.polling().apply(1)).isBetween(5L, 10L);
        assertThat(settings.faults().getRetryConfig().getMaxAttempts()).isEqualTo(6);
    }

    @Test
    void settingsAreApplied() {
        Retry retry = Retry.ofDefaults("own");
        ClientSettings settings = new Builder()
                .strategy(STRATEGY)
                .collection("my.locks")
                .commandTimeout(Duration.ofSeconds(1))
                .polling(Duration.ofMillis(4), Duration.ofMillis(4))
                .random(RandomGenerator.getDefault())
                .faultRetry(retry)
                .instance("node-1")
                .schema(SchemaMode.NONE)
                .timeSource(() -> 42)
                .settings();

        assertThat(settings.collection()).isEqualTo("my.locks");
        assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.polling().apply(9)).isBetween(2L, 4L);
        assertThat(settings.faults()).isSameAs(retry);
        assertThat(settings.schema()).isEqualTo(SchemaMode.NONE);
        assertThat(settings.time().nanoTime()).isEqualTo(42);
        assertThat(settings.newOwner().instance()).isEqualTo("node-1");
    }

    @Test
    void theSkewMarginGrowsWithTheTtlUnlessItIsSet() {
        LeaseSettings usual = new Builder().strategy(STRATEGY).settings().holding();
        LeaseSettings set = new Builder()
                .strategy(STRATEGY)
                .skewMargin(Duration.ofSeconds(1))
                .settings()
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
                .isThrownBy(() -> new Builder().skewMargin(found))
                .withMessageContaining("from PT0S to PT10M");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Builder().closeTimeout(found))
                .withMessageContaining("from PT0S to PT10M");
    }

    @Test
    void everyOwnerIsFresh() {
        ClientSettings settings = new Builder().strategy(STRATEGY).settings();

        assertThat(settings.newOwner()).isNotEqualTo(settings.newOwner());
    }

    @Test
    void aStrategyIsNeeded() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new Builder().settings())
                .withMessageContaining("needs a strategy");
    }

    @Test
    void aRequestByNameAloneHasTheDefaults() {
        Duration minute = Duration.ofMinutes(1);
        Builder builder = new Builder().defaultTtl(minute).defaultWait(Duration.ofSeconds(2));

        assertThat(new Builder().requestFactory().apply("invoice-42"))
                .isEqualTo(LockRequest.of("invoice-42", Duration.ofSeconds(30)))
                .matches(LockRequest::isKeptAlive);
        assertThat(builder.requestFactory().apply("invoice-42"))
                .isEqualTo(LockRequest.of("invoice-42", minute).waitAtMost(Duration.ofSeconds(2)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Builder().defaultTtl(Duration.ZERO))
                .withMessageStartingWith("ttl must be from");
    }

    @Test
    void anUnknownStrategyIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Builder().strategy("nope"))
                .withMessageContaining("No lock strategy is named 'nope'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a$b", "a\0b", "a\ud800", ".locks", "system.locks"})
    void anImpossibleCollectionIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Builder().collection(name))
                .withMessageStartingWith("collection name must have 1 to 180 bytes of UTF-8");
    }

    @Test
    void longestCollectionNameIsAccepted() {
        String longest = "é".repeat(90);

        assertThat(new Builder()
                        .strategy(STRATEGY)
                        .collection(longest)
                        .settings()
                        .collection())
                .isEqualTo(longest);
        assertThatIllegalArgumentException().isThrownBy(() -> new Builder().collection(longest + "x"));
    }

    @Test
    @SuppressWarnings("NullAway") // Simulates callers without null checks.
    void nullArgumentIsNamedAtOnce() {
        assertThatNullPointerException()
                .isThrownBy(() -> new Builder().strategy((LockStrategy) null))
                .withMessage("The strategy is null");
        assertThatNullPointerException()
                .isThrownBy(() -> new Builder().schema(null))
                .withMessage("The schema mode is null");
        assertThatNullPointerException()
                .isThrownBy(() -> new Builder().timeSource(null))
                .withMessage("The time source is null");
        assertThatNullPointerException()
                .isThrownBy(() -> new Builder().random(null))
                .withMessage("The random generator is null");
        assertThatNullPointerException()
                .isThrownBy(() -> new Builder().holderInfo(null))
                .withMessage("The holder info is null");
        assertThatNullPointerException()
                .isThrownBy(() -> new Builder().commandTimeout(null))
                .withMessage("The commandTimeout is null");
        assertThatNullPointerException()
                .isThrownBy(() -> new Builder().closeTimeout(null))
                .withMessage("The closeTimeout is null");
        assertThatNullPointerException()
                .isThrownBy(() -> new Builder().defaultTtl(null))
                .withMessage("The ttl is null");
        assertThatNullPointerException()
                .isThrownBy(() -> new Builder().instance(null))
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
    @SuppressWarnings("NullAway") // Simulates functions that return null nevertheless.
    @Tag("finds:holder-info-null")
    void nullResultOfAFunctionIsNamed() {
        LeaseSettings holding = new Builder()
                .strategy(STRATEGY)
                .holderInfo(() -> null)
                .timer((delay, task) -> null)
                .settings()
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
                .isThrownBy(() -> new Builder().commandTimeout(limit))
                .withMessageContaining("from PT0.01S to PT5M");
    }

    @Test
    void pollingOutOfBoundsIsRefused() {
        Duration second = Duration.ofSeconds(1);

        assertThatIllegalArgumentException().isThrownBy(() -> new Builder().polling(Duration.ZERO, second));
        assertThatIllegalArgumentException().isThrownBy(() -> new Builder().polling(second, Duration.ofMillis(1)));
    }

    @Test
    void anImproperInstanceNameIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Builder().instance("a/b"));
    }

    private static final class Builder extends LockClientBuilder<Builder> {
        @Override
        protected Builder self() {
            return this;
        }
    }
}
