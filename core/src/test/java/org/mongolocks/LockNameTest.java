package org.mongolocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", " ", "$$NOW", "a.b", "\u0001", "\uD83D\uDD12", "\u00e9", "e\u0301"})
    void anythingThatMongoDbStoresFaithfullyIsAName(String value) {
        assertThat(LockName.of(value).value()).isEqualTo(value);
        assertThat(LockName.of(value)).hasToString(value);
    }

    @Test
    void differentFormsOfOneLetterAreDifferentNames() {
        assertThat(LockName.of("\u00e9")).isNotEqualTo(LockName.of("e\u0301"));
    }

    @Test
    void emptyNameIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> LockName.of("")).withMessageContaining("was empty");
    }

    @Test
    void nulIsRefusedWithItsPlace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockName.of("ab\0c"))
                .withMessageContaining("index 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab\uD83D", "ab\uD83Dc", "ab\uDD12", "ab\uDD12\uD83D"})
    void unpairedSurrogateIsRefusedWithItsPlace(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockName.of(value))
                .withMessageContaining("unpaired surrogate")
                .withMessageContaining("index 2");
    }

    @Test
    void lengthIsCountedInBytesOfUtf8() {
        String longest = "\u00e9".repeat(256);

        assertThat(LockName.of(longest).value()).isEqualTo(longest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockName.of(longest + "x"))
                .withMessageContaining("1 to 512 bytes")
                .withMessageContaining("had 513");
    }
}
