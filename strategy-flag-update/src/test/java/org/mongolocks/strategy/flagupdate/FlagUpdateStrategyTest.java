package org.mongolocks.strategy.flagupdate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.ServiceRegistrationCheck;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Trait;

class FlagUpdateStrategyTest {
    @Test
    void itIsFoundByItsNameOnTheClassPathAndOnTheModulePath() {
        assertThat(LockStrategies.named("flag-update")).isInstanceOf(FlagUpdateStrategy.class);
        ServiceRegistrationCheck.assertOnClassPath(FlagUpdateStrategy.class);
        ServiceRegistrationCheck.assertInModule(FlagUpdateStrategy.class);
    }

    @Test
    void itSaysWhatItGivesAndNeeds() {
        LockStrategy strategy = new FlagUpdateStrategy();

        assertThat(strategy.traits()).containsExactlyInAnyOrder(Trait.SERVER_CLOCK, Trait.STRICT_FENCING);
        assertThat(strategy.schema()).isEqualTo(LockSchema.locksOnly());
    }
}
