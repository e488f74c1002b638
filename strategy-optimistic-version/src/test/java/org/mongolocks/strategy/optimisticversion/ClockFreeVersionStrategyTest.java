package org.mongolocks.strategy.optimisticversion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.ServiceRegistrationCheck;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Trait;

class ClockFreeVersionStrategyTest {
    @Test
    void itIsFoundByItsNameOnTheClassPathAndOnTheModulePath() {
        assertThat(LockStrategies.named("optimistic-version-clock-free")).isInstanceOf(ClockFreeVersionStrategy.class);
        ServiceRegistrationCheck.assertOnClassPath(ClockFreeVersionStrategy.class);
        ServiceRegistrationCheck.assertInModule(ClockFreeVersionStrategy.class);
    }

    @Test
    void itSaysWhatItGivesAndNeeds() {
        LockStrategy strategy = new ClockFreeVersionStrategy();

        assertThat(strategy.traits()).containsExactlyInAnyOrder(Trait.CLOCK_FREE, Trait.STRICT_FENCING);
        assertThat(strategy.schema()).isEqualTo(LockSchema.locksOnly());
    }
}
