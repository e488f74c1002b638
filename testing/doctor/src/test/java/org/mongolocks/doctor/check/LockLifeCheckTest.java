package org.mongolocks.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/** Tests of the life of a lock on a server that is slow, as a cold cluster is. */
class LockLifeCheckTest {
    private static final LockStrategy COUNTER = LockStrategies.named("findandmodify-counter");

    @Test
    void aLockIsGrantedAlsoIfACommandTakesLongerThanTheShortestLease() throws Exception {
        assertUsable("{failCommands: ['findAndModify'], blockConnection: true, blockTimeMS: 1100}");
    }

    @Test
    void aLockIsTakenOverAfterItsLeaseAlsoIfNoStreamHasOpenedByThen() throws Exception {
        assertUsable("{failCommands: ['aggregate'], blockConnection: true, blockTimeMS: 3000}");
    }

    private static void assertUsable(String fault) throws Exception {
        try (EmbeddedMongo server = EmbeddedMongo.builder().router().start();
                MongoClient admin = MongoClients.create(server.connectionString());
                Deployment deployment = Deployment.connect(
                        new ConnectionString(server.connectionString()), "cold", Optional.empty(), List.of(COUNTER))) {
            admin.getDatabase("admin")
                    .runCommand(new Document("configureFailPoint", "failCommand")
                            .append("mode", "alwaysOn")
                            .append("data", Document.parse(fault)));

            assertThat(new LockLifeCheck().look(deployment))
                    .singleElement()
                    .satisfies(
                            found -> assertThat(found.status()).as(found.seen()).isEqualTo(Status.OK));
        }
    }
}
