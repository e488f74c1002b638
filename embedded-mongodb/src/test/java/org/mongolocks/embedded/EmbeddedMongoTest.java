package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EmbeddedMongoTest {
    @Test
    void works() {
        assertThat(EmbeddedMongo.doc()).containsKey("a");
    }
}
