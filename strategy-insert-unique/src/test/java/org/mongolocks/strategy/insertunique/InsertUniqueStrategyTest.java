package org.mongolocks.strategy.insertunique;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.ServiceRegistrationCheck;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Trait;

class InsertUniqueStrategyTest {
    @Test
    void itIsFoundByItsNameOnTheClassPathAndOnTheModulePath() {
        assertThat(LockStrategies.named("insert-unique")).isInstanceOf(InsertUniqueStrategy.class);
        ServiceRegistrationCheck.assertOnClassPath(InsertUniqueStrategy.class);
        ServiceRegistrationCheck.assertInModule(InsertUniqueStrategy.class);
    }

    @Test
    void itSaysWhatItGivesAndNeeds() {
        LockStrategy strategy = new InsertUniqueStrategy();

        assertThat(strategy.traits())
                .containsExactlyInAnyOrder(Trait.SERVER_CLOCK, Trait.STRICT_FENCING, Trait.SELF_CLEANING);
        assertThat(strategy.schema())
                .isEqualTo(new LockSchema(List.of(new LockSchema.LockCollection("locks", Optional.of("purgeAt")))));
    }
}
