package org.mongolocks.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.mongolocks.contract.integration.NamedModuleContract;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Runs the examples of the README, and checks that the README shows them. */
class MicrometerReadmeTest implements NamedModuleContract {
    private final RecordedObservations observations = new RecordedObservations();
    private final List<Long> bills = new ArrayList<>();

    @Test
    void examplesMeterAndObserve() throws Exception {
        MongoClient mongo = DriverClients.shared(ServerFinder.found().uri()).sync();
        MeterRegistry registry = new SimpleMeterRegistry();
        ObservationRegistry observationRegistry = observations.registry;
        // begin
        LockMetrics metrics =
                LockMetrics.of(registry, "orders"); // one for each lock client; "orders" is the tag client
        LockClient locks = metrics.observe(LockClient.builder(mongo, "app").strategy("findandmodify-counter"))
                .build();
        // end
        // begin
        ObservedLocks observed = ObservedLocks.of(locks, observationRegistry); // or ReactiveObservedLocks
        boolean billed = observed.tryWithLock("invoice-42", lock -> bill(lock)); // false if another owner holds it
        // end
        locks.close();
        mongo.getDatabase("app").drop();

        assertThat(billed).isTrue();
        assertThat(bills).hasSize(1);
        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work done");
        assertThat(registry.get("mongo.locks.held").tag("client", "orders").gauge())
                .isNotNull();
    }

    @Test
    void readmeShowsTheExamples() throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "org", "mongolocks", "micrometer", "MicrometerReadmeTest.java"));
        String readme = withoutSpaces(Files.readString(Path.of("README.md")));

        assertThat(Pattern.compile("(?s) // begin\n(.*?) // end\n")
                        .matcher(source)
                        .results())
                .hasSize(2)
                .allSatisfy(example -> assertThat(readme).contains(withoutSpaces(example.group(1))));
    }

    private void bill(HeldLock lock) {
        bills.add(lock.fencingToken());
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }
}
