package org.mongolocks.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SuiteTest {
    @Test
    void anErrorEndsTheRunUnlessTheOptionsSayOtherwise() {
        assertThat(Suite.strict("Uncontended", "-f", "1")).containsExactly("-foe", "true", "Uncontended", "-f", "1");
        assertThat(Suite.strict("-foe", "false")).containsExactly("-foe", "false");
    }
}
