package org.mongolocks.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DoorkeeperTest {
    private final Doorkeeper door = new Doorkeeper("lock");

    @Test
    void oneAfterTheOtherIsNoViolation() {
        door.enter(OptionalLong.of(1));
        door.leave();
        door.enter(OptionalLong.of(2));

        assertThat(door.notAlone()).isZero();
        assertThat(door.unorderedTokens()).isZero();
    }

    @Test
    void twoAtOnceAreSeen() {
        door.enter(OptionalLong.empty());
        door.enter(OptionalLong.empty());

        assertThat(door.notAlone()).isEqualTo(1);
    }

    @Test
    void aSmallerTokenIsSeen() {
        door.enter(OptionalLong.of(2));
        door.leave();
        door.enter(OptionalLong.of(1));

        assertThat(door.unorderedTokens()).isEqualTo(1);
    }
}
