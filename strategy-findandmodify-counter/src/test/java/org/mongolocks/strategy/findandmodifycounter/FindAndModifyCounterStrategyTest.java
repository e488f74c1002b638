package org.mongolocks.strategy.findandmodifycounter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.ServiceRegistrationCheck;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Trait;

class FindAndModifyCounterStrategyTest {
    @Test
    void itIsFoundByItsNameOnTheClassPathAndOnTheModulePath() {
        assertThat(LockStrategies.named("findandmodify-counter")).isInstanceOf(FindAndModifyCounterStrategy.class);
        ServiceRegistrationCheck.assertOnClassPath(FindAndModifyCounterStrategy.class);
        ServiceRegistrationCheck.assertInModule(FindAndModifyCounterStrategy.class);
    }

    @Test
    void itSaysWhatItGivesAndNeeds() {
        LockStrategy strategy = new FindAndModifyCounterStrategy();

        assertThat(strategy.traits()).containsExactlyInAnyOrder(Trait.SERVER_CLOCK, Trait.STRICT_FENCING);
        assertThat(strategy.schema()).isEqualTo(LockSchema.locksOnly());
    }
}
