package org.mongolocks.contract.document;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
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
 * different versions share them. A change of the documents needs a new number of the format, and a new record.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("org.mongolocks.contract.Shipped#names")
class StoredFormatTest {
    private static final Path RECORD = Path.of("src/test/resources/org/mongolocks/contract/document/stored-format.txt");
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
        release();
        stored.addAll(stored("free"));

        assertThat(recorded(""))
                .as("the lines of %s for %s", RECORD, strategy().format())
                .isEqualTo(stored);
    }

    @Test
    void recordedHeldLockIsContendedUntilItsHolderReleasesIt() throws IOException {
        store("held");

        assertThat(attempt(FIRST, Optional.empty())).isInstanceOf(LockOutcome.Contended.class);
        release();
        assertThat(attempt(FIRST, Optional.empty())).isInstanceOf(LockOutcome.Acquired.class);
    }

    @Test
    void waitersOfARecordedLockAreGrantedItInTheirOrder() throws IOException {
        store("awaited");

        release();

        assertFirstIsGranted();
    }

    @Test
    void recordedFreeLockIsGrantedToItsFirstWaiterWithALargerToken() throws IOException {
        store("free");

        assertFirstIsGranted();
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
                .acquire(new AcquireContext(
                        NAME,
                        owner(number),
                        TTL,
                        number,
                        Optional.empty(),
                        waiter.isPresent() ? LastKnownState.HELD : LastKnownState.UNKNOWN,
                        HolderInfo.none().withNote(Optional.of("nightly run")),
                        OptionalLong.empty(),
                        waiter)));
    }

    private void release() {
        assertThat(server.run(strategy().release(NAME, owner(HOLDER), OptionalLong.of(token()))))
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

    private List<String> recorded(String state) throws IOException {
        String mark = "\"format\": \"" + strategy().format().orElseThrow() + "\"";
        return Files.readAllLines(RECORD).stream()
                .filter(line -> line.startsWith(name + " | " + state) && line.contains(mark))
                .toList();
    }

    private void store(String state) throws IOException {
        for (String line : recorded(state)) {
            String[] columns = line.split(" \\| ", 4);
            server.collection(columns[2]).insertOne(BsonDocument.parse(columns[3]));
        }
    }
}
