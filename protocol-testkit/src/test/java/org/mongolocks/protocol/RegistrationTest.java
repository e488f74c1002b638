package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RegistrationTest {
    @Test
    void aStrategyThatNoServiceFileNamesIsFound() {
        assertThatThrownBy(() -> Registration.assertOnClassPath(Sketch.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("META-INF/services");
    }

    @Test
    void aStrategyThatNoModuleProvidesIsFound() {
        assertThatThrownBy(() -> Registration.assertInModule(Sketch.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("module-info");
    }
}
