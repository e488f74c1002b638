package org.mongolocks.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JmhMainTest {
    @Test
    void errorEndsTheRunByDefault() {
        assertThat(JmhMain.strict("Uncontended", "-f", "1")).containsExactly("-foe", "true", "Uncontended", "-f", "1");
        assertThat(JmhMain.strict("-foe", "false")).containsExactly("-foe", "false");
    }
}
