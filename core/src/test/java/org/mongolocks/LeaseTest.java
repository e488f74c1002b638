package org.mongolocks;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LeaseTest {
    @Test
    void tokenIsPositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new Lease(LockName.of("a"), new Owner("test", new UUID(0, 1)), 0, Duration.ofSeconds(10), 0))
                .withMessageContaining("at least 1, was 0");
    }
}
