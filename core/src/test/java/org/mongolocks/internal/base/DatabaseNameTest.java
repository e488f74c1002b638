package org.mongolocks.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "a b", "a/b", "a\\b", "a\"b"})
    void nameThatNoDatabaseCanHaveIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DatabaseName.require(name))
                .withMessageContaining("was '" + name + "'");
    }

    @Test
    void nameOfADatabaseIsReturned() {
        assertThat(DatabaseName.require("shop-1")).isEqualTo("shop-1");
    }
}
