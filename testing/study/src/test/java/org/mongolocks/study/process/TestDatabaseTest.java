package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.EmbeddedMongo;

/** Tests of a server that a run of real processes uses. */
class TestDatabaseTest {
    @Test
    void thePrimaryOfAReplicaSetStepsDownAndIsFoundAgain() {
        try (EmbeddedMongo mongo = EmbeddedMongo.start();
                TestDatabase database = TestDatabase.at(mongo.connectionString())) {
            assertThat(database.stepDown()).isEmpty();
            mongo.stepUp();

            assertThat(database.primary().getPort()).isEqualTo(mongo.port());
        }
    }

    @Test
    void aServerThatIsNoReplicaSetSaysWhyItDoesNotStepDown() {
        try (EmbeddedMongo mongo = EmbeddedMongo.builder().standalone().start();
                TestDatabase database = TestDatabase.at(mongo.connectionString())) {
            assertThat(database.stepDown())
                    .hasValueSatisfying(why -> assertThat(why).contains("(code "));
        }
    }
}
