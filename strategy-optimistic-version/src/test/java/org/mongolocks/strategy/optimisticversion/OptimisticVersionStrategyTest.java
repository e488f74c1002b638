package org.mongolocks.strategy.optimisticversion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.ServiceRegistrationCheck;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Trait;

class OptimisticVersionStrategyTest {
    @Test
    void itIsFoundByItsNameOnTheClassPathAndOnTheModulePath() {
        assertThat(LockStrategies.named("optimistic-version")).isInstanceOf(OptimisticVersionStrategy.class);
        ServiceRegistrationCheck.assertOnClassPath(OptimisticVersionStrategy.class);
        ServiceRegistrationCheck.assertInModule(OptimisticVersionStrategy.class);
    }

    @Test
    void itSaysWhatItGivesAndNeeds() {
        LockStrategy strategy = new OptimisticVersionStrategy();

        assertThat(strategy.traits()).containsExactlyInAnyOrder(Trait.SERVER_CLOCK, Trait.STRICT_FENCING);
        assertThat(strategy.schema()).isEqualTo(LockSchema.locksOnly());
    }
}
