package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ServiceRegistrationCheckTest {
    @Test
    void aStrategyThatNoServiceFileNamesIsFound() {
        assertThatThrownBy(() -> ServiceRegistrationCheck.assertOnClassPath(Sketch.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("META-INF/services");
    }

    @Test
    void aStrategyThatNoModuleProvidesIsFound() {
        assertThatThrownBy(() -> ServiceRegistrationCheck.assertInModule(Sketch.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("module-info");
    }
}
