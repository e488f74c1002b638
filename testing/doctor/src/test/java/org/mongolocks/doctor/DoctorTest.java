package org.mongolocks.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationStrength;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ValidationOptions;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.doctor.check.Promise;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.reporting.ProgramArguments;

class DoctorTest {
    private static final String COUNTER = "findandmodify-counter";

    private static EmbeddedMongo server;
    private static MongoClient client;

    @BeforeAll
    static void start() {
        server = EmbeddedMongo.start();
        client = MongoClients.create(server.connectionString());
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void healthyReplicaSetSupportsEveryStrategy() throws Exception {
        Run run = Run.of("--uri", server.connectionString(), "--database", "sound");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).as(run.out()).isZero();
        assertThat(run.out())
                .contains(
                        "Checks of the replica set 'rs0'",
                        "Usable strategies: findandmodify-counter, flag-update, insert-unique, optimistic-version,"
                                + " optimistic-version-clock-free, transactional",
                        "transactional: usable")
                .doesNotContain("does not hold");
    }

    @Test
    void embeddedServerIsChecked() throws Exception {
        Run run = Run.of("--uri", "embedded", "--strategy", COUNTER);

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).as(run.out()).isZero();
        assertThat(run.out()).contains("Checks of the replica set 'rs0'", COUNTER + ": usable");
    }

    @Test
    @Tag("finds:unseen-without-advice")
    void checkThatCouldNotLookHasALineUnderWhatToDo() throws Exception {
        Run run = Run.json(server.connectionString(), COUNTER);

        assertThat(run.found("orphaned-transactions"))
                .singleElement()
                .asString()
                .startsWith("unseen ");
        assertThat(run.advice())
                .anyMatch(line -> line.startsWith("Not known: orphaned-transactions ("))
                .anyMatch(line -> line.startsWith("Not known: majority (writeConcernMajorityJournalDefault"));
    }

    @Test
    @Tag("finds:set-of-one-member")
    void setOfOneMemberHasAWordAboutFailover() throws Exception {
        assertThat(Run.json(server.connectionString(), COUNTER).found("server"))
                .singleElement()
                .asString()
                .endsWith(", its only member: while it is down, no lock is acquired or renewed");
    }

    @Test
    void ownCollectionsAreDroppedAndNothingElseIsChanged() throws Exception {
        client.getDatabase("kept").getCollection("orders").insertOne(new Document("_id", 1));

        Run.json(server.connectionString(), "transactional", "--database", "kept");

        assertThat(client.getDatabase("kept").listCollectionNames().into(new ArrayList<>()))
                .containsExactly("orders");
        assertThat(client.getDatabase("kept").getCollection("orders").countDocuments())
                .isOne();
    }

    @Test
    void jsonMatchesItsSchema() throws Exception {
        String schema = Files.readString(Path.of("..", "..", "docs", "doctor.schema.json"));

        Run run = Run.json(server.connectionString(), COUNTER);

        List<Error> faults = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema)
                .validate(run.out(), InputFormat.JSON);
        assertThat(faults).isEmpty();
        assertThat(run.report().getInt32("format").getValue()).isOne();
    }

    @Test
    void eachCheckAndEachGuaranteeIsDocumented() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "doctor.md"));

        Run run = Run.json(server.connectionString(), COUNTER);

        assertThat(run.report().getArray("checks"))
                .allSatisfy(check -> assertThat(page)
                        .contains("| `" + check.asDocument().getString("id").getValue() + "` |"));
        assertThat(Promise.values()).allSatisfy(promise -> assertThat(page).contains("| " + promise.sentence() + " |"));
    }

    @Test
    void aStandaloneHasNoTransactions() throws Exception {
        try (EmbeddedMongo standalone = EmbeddedMongo.builder().standalone().start()) {
            Run transactional = Run.json(standalone.connectionString(), "transactional");
            Run counter = Run.json(standalone.connectionString(), COUNTER);

            assertThat(transactional.isUsable()).isFalse();
            assertThat(transactional.status()).isOne();
            assertThat(transactional.promise("operation")).isEqualTo("broken");
            assertThat(counter.isUsable()).isTrue();
            assertThat(counter.status()).isOne();
            assertThat(counter.promise("guarded-transactions")).isEqualTo("broken");
            assertThat(counter.promise("late-requests")).isEqualTo("warning");
            assertThat(counter.promise("prompt-grants")).isEqualTo("warning");
            assertThat(counter.found("numbered-writes"))
                    .singleElement()
                    .asString()
                    .startsWith("warning ");
        }
    }

    @Test
    void aTtlIndexThatDeletesLocksDoesNotHold() throws Exception {
        locks("ttl").createIndex(Indexes.ascending("expiresAt"), new IndexOptions().expireAfter(0L, TimeUnit.SECONDS));

        Run run = Run.json(server.connectionString(), COUNTER, "--database", "odd", "--collection", "ttl");

        assertThat(run.status()).isOne();
        assertThat(run.isUsable()).isFalse();
        assertThat(run.found("lock-collections"))
                .singleElement()
                .asString()
                .startsWith("broken collection 'ttl' has the TTL index 'expiresAt_1'");
        assertThat(run.out()).contains("dropIndex(\\\"expiresAt_1\\\")");
    }

    @Test
    void aUniqueIndexOfTheCountersDoesNotHold() throws Exception {
        locks("unique.fences").createIndex(Indexes.ascending("n"), new IndexOptions().unique(true));

        Run run = Run.json(server.connectionString(), "transactional", "--database", "odd", "--collection", "unique");

        assertThat(run.status()).isOne();
        assertThat(run.found("lock-collections"))
                .singleElement()
                .asString()
                .startsWith("broken collection 'unique.fences' has the unique index 'n_1'");
    }

    @Test
    void collectionsThatBreakLocksDoNotHold() throws Exception {
        Collation caseless = Collation.builder()
                .locale("en")
                .collationStrength(CollationStrength.SECONDARY)
                .build();
        CreateCollectionOptions odd = new CreateCollectionOptions()
                .collation(caseless)
                .capped(true)
                .sizeInBytes(4096)
                .validationOptions(new ValidationOptions().validator(Filters.exists("owner")));
        client.getDatabase("odd").createCollection("odd-locks", odd);
        client.getDatabase("odd").createView("odd-locks.fences", "odd-locks", List.of());

        Run run =
                Run.json(server.connectionString(), "transactional", "--database", "odd", "--collection", "odd-locks");

        assertThat(run.status()).isOne();
        assertThat(run.found("lock-collections")).hasSize(4).allMatch(found -> found.startsWith("broken collection"));
        assertThat(run.out()).contains("default collation", "is capped", "has a validator", "has the type view");
    }

    @Test
    void aMissingTtlIndexIsAWarning() throws Exception {
        locks("no-ttl").insertOne(new Document("format", "insert-unique/3"));

        Run run = Run.json(server.connectionString(), "insert-unique", "--database", "odd", "--collection", "no-ttl");

        assertThat(run.status()).isZero();
        assertThat(run.promise("clean-up")).isEqualTo("warning");
    }

    @Test
    void aSmallPoolAndUnnumberedWritesAreWarnings() throws Exception {
        Run run = Run.json(server.connectionString() + "&maxPoolSize=1&retryWrites=false", COUNTER);

        assertThat(run.found("uri")).hasSize(2).allMatch(found -> found.startsWith("warning "));
    }

    @Test
    void invalidArgumentsAndUnreachableServersPrintOneLine() throws Exception {
        String secret = "mongodb://me:secret@127.0.0.1:1/?serverSelectionTimeoutMS=100";
        List<Run> runs = List.of(
                Run.of(),
                Run.of("--uri"),
                Run.of("--uri", "http://x"),
                Run.of("--uri", secret + "&readPreference=nonsense"),
                Run.of("--uri", secret, "--collection", "a$b"),
                Run.of("--uri", secret, "--database", "a b"),
                Run.of("--uri", secret, "--strategy", "nonsense"),
                Run.of("--nonsense"),
                Run.of("--uri", secret));

        assertThat(runs).allSatisfy(run -> {
            assertThat(run.status()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).startsWith("doctor: ").hasLineCount(1).doesNotContain("secret");
        });
    }

    @Test
    void theHelpNeedsNoServer() throws Exception {
        assertThat(Run.of("--help")).isEqualTo(new Run(0, ProgramArguments.usage(Doctor.class, "usage.txt"), ""));
    }

    private static MongoCollection<Document> locks(String name) {
        return client.getDatabase("odd").getCollection(name);
    }
}
