package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.module.ModuleFinder;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.LockStrategy;

class StrategyTestTest {
    private final StrategyTest test = new StrategyTest() {
        @Override
        protected LockStrategy strategy() {
            return AcquireStub.correct();
        }
    };

    @Test
    void strategyWithoutServiceFileIsDetected() {
        assertThatThrownBy(test::strategyIsFoundByNameOnTheClassPath)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("META-INF/services");
    }

    @Test
    void strategyThatNoModuleProvidesIsDetected() {
        assertThatThrownBy(() -> StrategyTest.assertProvided(AcquireStub.correct(), ModuleFinder.ofSystem()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("module-info");
    }
}
