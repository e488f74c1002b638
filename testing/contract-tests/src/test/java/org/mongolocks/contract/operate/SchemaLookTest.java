package org.mongolocks.contract.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.ValueCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockName;
import org.mongolocks.LockStorageException;
import org.mongolocks.SchemaMode;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.Warnings;

/** Tests of the commands and replies of both drivers when a client checks its collections. */
class SchemaLookTest {
    private static final String DATABASE = "schema-look";
    private static final int MAX_TIME_EXPIRED = 50;

    private final EmbeddedMongo server = EmbeddedMongo.start();
    private final DriverClients connection =
            DriverClients.of(DriverClients.settings(server.connectionString()).build());

    private final ConfigReads configReads = new ConfigReads();

    @AfterEach
    void stop() {
        connection.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void missingRightToReadTheSchemaIsOneWarning(Driver driver) throws Exception {
        failWithUnauthorized("listCollections", "listIndexes");
        for (SchemaMode mode : SchemaMode.values()) {
            String collection = "limited-" + UUID.randomUUID();
            try (Warnings warnings = Warnings.collect();
                    BlockingLocks locks = driver.build(
                            connection,
                            DATABASE,
                            builder -> builder.strategy("transactional")
                                    .collection(collection)
                                    .schema(mode))) {
                assertThat(locks.tryAcquire(LockName.of("a"), Duration.ofSeconds(30)))
                        .isPresent();
                assertThat(warnings.about("'" + collection + "'"))
                        .as("%s", mode)
                        .singleElement()
                        .asString()
                        .startsWith("Could not check that locks of 'transactional' are exclusive in ");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientIsBuiltForAUserThatMayOnlyRead(Driver driver) throws Exception {
        failWithUnauthorized("update", "findAndModify");

        assertReads(driver);
    }

    @ParameterizedTest
    @EnumSource
    void aClientIsBuiltIfItsUpdateTimesOut(Driver driver) throws Exception {
        fail(new Document("failCommands", List.of("update")).append("errorCode", MAX_TIME_EXPIRED));

        assertReads(driver);
    }

    private void assertReads(Driver driver) throws Exception {
        for (SchemaMode mode : SchemaMode.values()) {
            try (BlockingLocks locks = driver.build(
                    connection,
                    DATABASE,
                    builder -> builder.strategy("flag-update").schema(mode))) {
                assertThat(locks.inspect(LockName.of("a"))).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shardKeysAreReadFromTheConfiguration(Driver driver) throws Exception {
        try (EmbeddedMongo router = EmbeddedMongo.builder().router().start();
                DriverClients clients = DriverClients.of(
                        DriverClients.settings(router.connectionString()).build())) {
            MongoCollection<Document> config =
                    clients.sync().getDatabase("config").getCollection("collections");
            config.insertOne(Document.parse("{_id: 'schema-look.a', key: {owner: 1}, dropped: false}"));
            config.insertOne(Document.parse("{_id: 'schema-look.b', key: {owner: 1}, dropped: true}"));
            config.insertOne(Document.parse("{_id: 'other.a', key: {owner: 1}}"));

            assertThatExceptionOfType(LockStorageException.class)
                    .isThrownBy(() -> build(driver, clients, "a"))
                    .withMessageContaining("is sharded by {\"owner\": 1}");
            build(driver, clients, "b");
            build(driver, clients, "c");
        }
    }

    @ParameterizedTest
    @EnumSource
    void codecsAndReadConcernOfTheUsersClientAreNotUsedBehindARouter(Driver driver) throws Exception {
        try (EmbeddedMongo router = EmbeddedMongo.builder().router().start();
                DriverClients odd = DriverClients.of(DriverClients.settings(router.connectionString())
                        .codecRegistry(CodecRegistries.fromProviders(new ValueCodecProvider()))
                        .readConcern(ReadConcern.MAJORITY)
                        .addCommandListener(configReads)
                        .build());
                BlockingLocks locks =
                        driver.build(odd, DATABASE, builder -> builder.strategy("findandmodify-counter"))) {
            assertThat(locks.tryAcquire(LockName.of("a"), Duration.ofSeconds(30)))
                    .isPresent();
        }

        assertThat(configReads.commands).singleElement().satisfies(find -> {
            assertThat(find.getDocument("readConcern").getString("level").getValue())
                    .isEqualTo("local");
            assertThat(find.containsKey("maxTimeMS")).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheNamedCollectionIsDescribed(Driver driver) throws Exception {
        MongoDatabase database = connection.sync().getDatabase(DATABASE);
        CreateCollectionOptions capped =
                new CreateCollectionOptions().capped(true).sizeInBytes(1 << 20);
        database.createCollection("a");
        List.of("a.b", "b").forEach(name -> database.createCollection(name, capped));

        build(driver, connection, "a");
        build(driver, connection, "c");
        assertThatExceptionOfType(LockStorageException.class)
                .isThrownBy(() -> build(driver, connection, "b"))
                .matches(e -> e.faults().size() == 1)
                .withMessageContaining("collection 'b' is capped");
    }

    private static void build(Driver driver, DriverClients clients, String collection) throws Exception {
        driver.build(
                        clients,
                        DATABASE,
                        builder -> builder.strategy("findandmodify-counter").collection(collection))
                .close();
    }

    /** Records reads of the config database, which lists the sharded collections. */
    private static final class ConfigReads implements CommandListener {
        final List<BsonDocument> commands = new CopyOnWriteArrayList<>();

        @Override
        public void commandStarted(CommandStartedEvent event) {
            if (event.getDatabaseName().equals("config")) {
                commands.add(event.getCommand().clone());
            }
        }
    }

    private void failWithUnauthorized(String... commands) {
        fail(new Document("failCommands", List.of(commands)).append("errorCode", 13));
    }

    private void fail(Document data) {
        connection
                .sync()
                .getDatabase("admin")
                .runCommand(new Document("configureFailPoint", "failCommand")
                        .append("mode", "alwaysOn")
                        .append("data", data));
    }
}
