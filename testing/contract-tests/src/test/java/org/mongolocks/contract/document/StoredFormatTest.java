package org.mongolocks.contract.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.contract.waiting.EmbeddedPrograms;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Waiter;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/**
 * Tests that documents of a format stay as they were when it was recorded, and are locks for this build: clients of
 * different versions share them. A change of the documents that these clients cannot read needs a new number of the format, and each
 * change a new record beside the earlier ones.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("org.mongolocks.contract.Shipped#names")
class StoredFormatTest {
    private static final Path RECORDS = Path.of("src/test/resources/org/mongolocks/contract/document");
    private static final String RECORD = "stored-format.txt";
    /** Tokens were counted from 1, and counters had no date. */
    private static final String COUNTED = "stored-format-counted.txt";

    private static final JsonWriterSettings WITH_TYPES =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();
    private static final LockName NAME = LockName.of("job");
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final long HOLDER = 7;
    private static final long FIRST = 1;
    private static final long SECOND = 2;

    @Parameter
    private String name = "";

    private final EmbeddedPrograms server = new EmbeddedPrograms();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void documentsAreStoredAsRecorded() throws IOException {
        List<String> stored = new ArrayList<>();

        assertThat(attempt(HOLDER, Optional.empty())).isInstanceOf(LockOutcome.Acquired.class);
        stored.addAll(stored("held"));
        attempt(FIRST, Optional.of(new Waiter(FIRST, Entry.ADD)));
        attempt(SECOND, Optional.of(new Waiter(SECOND, Entry.ADD)));
        stored.addAll(stored("awaited"));
        release(HOLDER);
        stored.addAll(stored("free"));
        server.advance(LockStrategy.CLAIM_TIME);
        assertThat(attempt(SECOND, Optional.of(new Waiter(SECOND, Entry.KEEP))))
                .isInstanceOf(LockOutcome.Acquired.class);
        stored.addAll(stored("passed"));

        assertThat(recorded(RECORD, ""))
                .as("the lines of %s for %s", RECORD, strategy().format())
                .isEqualTo(stored);
    }

    @ParameterizedTest
    @ValueSource(strings = {RECORD, COUNTED})
    void recordedHeldLockIsContendedUntilItsHolderReleasesIt(String file) throws IOException {
        store(file, "held");

        assertThat(attempt(FIRST, Optional.empty())).isInstanceOf(LockOutcome.Contended.class);
        release(HOLDER);
        assertThat(attempt(FIRST, Optional.empty())).isInstanceOf(LockOutcome.Acquired.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {RECORD, COUNTED})
    void waitersOfARecordedLockAreGrantedItInTheirOrder(String file) throws IOException {
        store(file, "awaited");

        release(HOLDER);

        assertFirstIsGranted();
    }

    @ParameterizedTest
    @ValueSource(strings = {RECORD, COUNTED})
    void recordedFreeLockIsGrantedToItsFirstWaiterWithALargerToken(String file) throws IOException {
        store(file, "free");

        assertFirstIsGranted();
    }

    @ParameterizedTest
    @ValueSource(strings = {RECORD, COUNTED})
    void waiterThatWasPassedInARecordedLockIsGrantedItNext(String file) throws IOException {
        store(file, "passed");
        long before = token();

        release(SECOND);

        assertThat(attempt(FIRST, Optional.of(new Waiter(FIRST, Entry.KEEP))))
                .isInstanceOfSatisfying(
                        LockOutcome.Acquired.class,
                        acquired -> assertThat(acquired.lease().fencingToken()).isGreaterThan(before));
    }

    /** The server deletes what has the date and was not used for two days; the counter of an earlier build has none. */
    @ParameterizedTest
    @ValueSource(strings = {RECORD, COUNTED})
    void tokensGrowAfterARecordedLockWasDeleted(String file) throws IOException {
        store(file, "free");
        long before = token();
        server.advance(Duration.ofDays(2));
        strategy()
                .schema()
                .collections()
                .forEach(part -> part.ttl().ifPresent(ttl -> {
                    BsonDateTime latest =
                            new BsonDateTime(server.now().minus(ttl.after()).toEpochMilli());
                    server.collection(part.name())
                            .deleteMany(new BsonDocument(ttl.field(), new BsonDocument("$lte", latest)));
                }));
        assumeThat(server.stored(NAME)).as("%s keeps its documents", name).isEmpty();

        assertThat(attempt(FIRST, Optional.empty()))
                .isInstanceOfSatisfying(
                        LockOutcome.Acquired.class,
                        acquired -> assertThat(acquired.lease().fencingToken()).isGreaterThan(before));
    }

    private void assertFirstIsGranted() {
        long before = token();
        assertThat(attempt(SECOND, Optional.of(new Waiter(SECOND, Entry.KEEP))))
                .isInstanceOf(LockOutcome.Contended.class);
        assertThat(attempt(FIRST, Optional.of(new Waiter(FIRST, Entry.KEEP))))
                .isInstanceOfSatisfying(
                        LockOutcome.Acquired.class,
                        acquired -> assertThat(acquired.lease().fencingToken()).isGreaterThan(before));
    }

    /** The last token that the stored documents count. */
    private long token() {
        return documents().values().stream()
                .mapToLong(document -> document.getInt64(document.containsKey("fence") ? "fence" : "n")
                        .getValue())
                .max()
                .orElseThrow();
    }

    private LockStrategy strategy() {
        return LockStrategies.named(name);
    }

    private LockOutcome attempt(long number, Optional<Waiter> waiter) {
        return server.run(strategy()
                .acquire(AcquireContext.of(NAME, owner(number), TTL, number)
                        .lastSeen(waiter.isPresent() ? LastKnownState.HELD : LastKnownState.UNKNOWN)
                        .holderInfo(HolderInfo.none().withNote(Optional.of("nightly run")))
                        .waiter(waiter)));
    }

    private void release(long number) {
        assertThat(server.run(strategy().release(NAME, owner(number), OptionalLong.of(token()))))
                .isTrue();
    }

    private static Owner owner(long number) {
        return new Owner("client-" + number, new UUID(0, number));
    }

    /** The documents of the lock by their collections. */
    private Map<String, BsonDocument> documents() {
        Map<String, BsonDocument> documents = new TreeMap<>();
        strategy().schema().collections().forEach(part -> {
            BsonDocument document = server.collection(part.name()).find().first();
            if (document != null) {
                documents.put(part.name(), document);
            }
        });
        return documents;
    }

    private List<String> stored(String state) {
        return documents().entrySet().stream()
                .map(stored -> name + " | " + state + " | " + stored.getKey() + " | "
                        + stored.getValue().toJson(WITH_TYPES))
                .toList();
    }

    private List<String> recorded(String file, String state) throws IOException {
        String mark = "\"format\": \"" + strategy().format().orElseThrow() + "\"";
        return Files.readAllLines(RECORDS.resolve(file)).stream()
                .filter(line -> line.startsWith(name + " | " + state) && line.contains(mark))
                .toList();
    }

    private void store(String file, String state) throws IOException {
        assertThat(recorded(file, state)).isNotEmpty();
        for (String line : recorded(file, state)) {
            String[] columns = line.split(" \\| ", 4);
            server.collection(columns[2]).insertOne(BsonDocument.parse(columns[3]));
        }
    }
}
