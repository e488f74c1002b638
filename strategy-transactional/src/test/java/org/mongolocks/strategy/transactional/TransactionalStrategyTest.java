package org.mongolocks.strategy.transactional;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.ServiceRegistrationCheck;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Trait;

class TransactionalStrategyTest {
    @Test
    void itIsFoundByItsNameOnTheClassPathAndOnTheModulePath() {
        assertThat(LockStrategies.named("transactional")).isInstanceOf(TransactionalStrategy.class);
        ServiceRegistrationCheck.assertOnClassPath(TransactionalStrategy.class);
        ServiceRegistrationCheck.assertInModule(TransactionalStrategy.class);
    }

    @Test
    void itSaysWhatItGivesAndNeeds() {
        LockStrategy strategy = new TransactionalStrategy();

        assertThat(strategy.traits())
                .containsExactlyInAnyOrder(
                        Trait.SERVER_CLOCK, Trait.STRICT_FENCING, Trait.NEEDS_TRANSACTIONS, Trait.MULTI_LOCK);
        assertThat(strategy.schema())
                .isEqualTo(new LockSchema(List.of(
                        new LockSchema.LockCollection("locks", Optional.empty()),
                        new LockSchema.LockCollection("fences", Optional.empty()))));
    }
}
