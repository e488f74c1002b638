package org.mongolocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnerTest {
    private static final UUID GRANT = UUID.fromString("00000000-0000-0000-0000-00000000002a");

    @Test
    void storedFormIsReadBack() {
        Owner owner = new Owner("billing-7.host_a:1", GRANT);

        assertThat(owner.stored()).isEqualTo("billing-7.host_a:1/00000000-0000-0000-0000-00000000002a");
        assertThat(Owner.parse(owner.stored())).contains(owner);
    }

    @Test
    void storedFormAfterAReleaseIsNoOwner() {
        Owner owner = new Owner("a", GRANT);

        assertThat(owner.storedAfterRelease())
                .startsWith(Owner.storedPrefix("a"))
                .isNotEqualTo(owner.stored());
        assertThat(Owner.parse(owner.storedAfterRelease())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "/", "x/", "x/y", "$a/00000000-0000-0000-0000-00000000002a", "a b/0-0-0-0-0"})
    void foreignValueIsNoOwner(String stored) {
        assertThat(Owner.parse(stored)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "$a", "a b", "a/b", "\u00e9"})
    void instanceWithAnotherCharacterIsRefused(String instance) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Owner(instance, GRANT))
                .withMessageContaining("1 to 128 characters");
    }

    @Test
    void instanceIsBounded() {
        assertThat(new Owner("a".repeat(128), GRANT).instance()).hasSize(128);
        assertThatIllegalArgumentException().isThrownBy(() -> new Owner("a".repeat(129), GRANT));
    }
}
