package org.mongolocks.strategy.insertunique;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.StrategyTest;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

class InsertUniqueStrategyTest extends StrategyTest {
    @Override
    protected LockStrategy strategy() {
        return new InsertUniqueStrategy();
    }

    @Test
    void traitsAndSchemaAreAsDocumented() {
        assertThat(strategy().traits()).containsExactlyInAnyOrder(Trait.SERVER_CLOCK, Trait.STRICT_FENCING);
        assertThat(strategy().schema())
                .isEqualTo(new LockSchema(List.of(new LockSchema.LockCollection(
                        "locks", Optional.of(new LockSchema.TtlIndex("renewedAt", Duration.ofDays(2)))))));
    }
}
