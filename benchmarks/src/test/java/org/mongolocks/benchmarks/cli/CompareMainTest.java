package org.mongolocks.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mongolocks.benchmarks.report.CapturedConsole;
import org.mongolocks.benchmarks.report.ResultsSchema;
import org.mongolocks.benchmarks.run.NoRefusalStrategy;
import org.mongolocks.benchmarks.run.PrivateLocksStrategy;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.StubStrategy;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/** Tests of complete comparisons with very short times. */
class CompareMainTest {
    private static final Duration TINY = Duration.ofSeconds(3);

    private static final List<String> FIVE =
            List.of("findandmodify-counter", "flag-update", "insert-unique", "optimistic-version", "transactional");
    private static final List<String> FIVE_TWICE = FIVE.stream()
            .flatMap(strategy -> Stream.of(strategy + " sync", strategy + " reactive"))
            .toList();

    private static final List<String> ALL = List.of("B1", "B5", "B6", "B9", "B10", "B11", "B14", "B15");

    @TempDir
    private Path directory;

    private final CapturedConsole captured = new CapturedConsole();
    private final List<LockStrategy> strategies = new ArrayList<>(LockStrategies.all());

    @Test
    void shippedStrategiesExcludeEachOther() throws Exception {
        assertThat(run("--quick", "--only", "B1")).as(captured.err()).isZero();

        assertThat(captured.out()).startsWith("Take ").contains("Server: the embedded server (MongoDB ", "shedlock");
        assertThat(ResultsSchema.faults(Files.readString(results()))).isEmpty();
        assertThat(strategies())
                .allSatisfy(strategy -> assertThat(strategy).containsEntry("status", "measured"))
                .extracting(strategy -> strategy.getString("id"))
                .containsExactlyElementsOf(FIVE);
        assertThat(Files.readString(report())).contains(FIVE);
    }

    @Tag("slow")
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES) // A whole run, whose parts take longer on a busy machine.
    void everyBenchmarkMeasuresEveryStrategyThroughBothClients() throws Exception {
        assertThat(run("--quick", "--only", String.join(",", ALL)))
                .as(captured.err())
                .isZero();

        Document results = Document.parse(Files.readString(results()));
        assertThat(results.getList("contenders", Document.class))
                .filteredOn(contender -> !contender.getString("kind").equals("peer"))
                .allSatisfy(contender -> assertThat(contender).containsEntry("status", "measured"));
        List<Document> measurements = results.getList("measurements", Document.class);
        for (String benchmark : ALL) {
            assertThat(measurements)
                    .filteredOn(
                            measurement -> measurement.getString("benchmark").equals(benchmark))
                    .extracting(
                            measurement -> measurement.getString("contender") + " " + measurement.getString("client"))
                    .containsAll(FIVE_TWICE);
        }
    }

    @Test
    void secondRunPrintsTheChangesSinceTheFirst() throws Exception {
        run("--only", "B10", "--strategies", "flag-update");
        Path first = Files.move(results(), directory.resolve("first.json"));

        assertThat(run("--only", "B10", "--strategies", "flag-update", "--baseline", first.toString()))
                .isZero();

        assertThat(captured.out()).contains("Since the run of ", "figures changed by no more than noise.");
    }

    @Test
    void aStandaloneRunsAllButTheOneThatNeedsTransactions() throws Exception {
        try (EmbeddedMongo standalone = EmbeddedMongo.builder().standalone().start()) {
            assertThat(run(
                            "--uri",
                            standalone.connectionString(),
                            "--only",
                            "B1",
                            "--strategies",
                            "transactional,flag-update"))
                    .isZero();
        }

        assertThat(captured.out()).contains("standalone", "skipped: needs a replica set");
        assertThat(strategies())
                .extracting(strategy -> strategy.getString("status"))
                .containsExactly("skipped", "measured");
    }

    @Test
    void strategyWithoutMutualExclusionIsDetected() throws Exception {
        strategies.add(new PrivateLocksStrategy());

        assertThat(run("--quick", "--only", "B6", "--strategies", "private-locks,flag-update"))
                .isEqualTo(1);
        assertThat(captured.out()).contains("Take flag-update for most uses: ", "Do not take private-locks");
        assertThat(strategies())
                .extracting(strategy -> strategy.getString("status"))
                .containsExactly("void", "measured");
        assertThat(ResultsSchema.faults(Files.readString(results()))).isEmpty();
    }

    @Test
    void aStrategyThatFailsHasNoFiguresThereAndTheOthersGoOn() throws Exception {
        strategies.add(new StubStrategy("stub", Set.of()));

        assertThat(run("--only", "B1", "--strategies", "stub,flag-update")).isEqualTo(1);

        assertThat(strategies())
                .extracting(strategy -> strategy.getString("status"))
                .containsExactly("skipped", "measured");
        assertThat(captured.out())
                .contains(
                        "stub failed in B1, where its figures do not count: java.lang.UnsupportedOperationException: ");
    }

    @Test
    void aStrategyThatFailsInOneBenchmarkIsMeasuredInTheOthers() throws Exception {
        strategies.add(new NoRefusalStrategy());

        assertThat(run("--only", "B5,B10", "--strategies", "no-refusal")).isEqualTo(1);

        Document results = Document.parse(Files.readString(results()));
        Document contender = results.getList("contenders", Document.class).get(0);
        assertThat(contender).containsEntry("status", "measured").doesNotContainKey("reason");
        assertThat(contender.getList("failures", Document.class))
                .singleElement()
                .satisfies(failure -> assertThat(failure).containsEntry("benchmark", "B5"));
        assertThat(results.getList("measurements", Document.class))
                .filteredOn(figure -> figure.getString("contender").equals("no-refusal"))
                .extracting(figure -> figure.getString("benchmark"))
                .containsOnly("B10");
        assertThat(captured.out()).contains("no-refusal failed in B5, where its figures do not count: ");
        assertThat(ResultsSchema.faults(Files.readString(results()))).isEmpty();
    }

    @Test
    void serverThatStopsDuringTheRunIsReportedInOneLine() throws Exception {
        EmbeddedMongo server = EmbeddedMongo.start();
        strategies.add(new ServerEndingStrategy(server));

        assertThat(run("--uri", server.connectionString(), "--strategies", "server-ending"))
                .isEqualTo(2);

        assertThat(captured.err().lines().toList())
                .last()
                .asString()
                .startsWith("compare: cannot reach a MongoDB server that accepts writes at 127.0.0.1:");
        Document results = Document.parse(Files.readString(results()));
        assertThat(results.getList("missing", String.class)).startsWith("B1").hasSameSizeAs(ALL);
        assertThat(captured.out()).contains("The run did not end: without B1, ");
        assertThat(Files.readString(report())).contains("The run did not end: without B1, ");
        assertThat(ResultsSchema.faults(results.toJson())).isEmpty();
    }

    @Test
    void interruptedRunKeepsWhatItHasMeasured() throws Exception {
        strategies.add(new InterruptingStrategy(Thread.currentThread()));

        assertThat(run("--only", "B10,B1", "--strategies", "interrupting")).isEqualTo(130);

        assertThat(captured.err()).endsWith("compare: stopped" + System.lineSeparator());
        assertThat(Document.parse(Files.readString(results())).getList("missing", String.class))
                .containsExactly("B1", "B10");
        assertThat(Files.readString(report())).contains("The run did not end: without B1, B10.");
    }

    @Tag("slow")
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES) // As above.
    void nothingIsLeftOnTheServer() throws Exception {
        try (EmbeddedMongo server = EmbeddedMongo.start()) {
            run("--quick", "--uri", server.connectionString(), "--strategies", "transactional,insert-unique");

            try (MongoClient mongo = MongoClients.create(server.connectionString())) {
                assertThat(mongo.getDatabase(RunEnvironment.DATABASE).listCollectionNames())
                        .isEmpty();
            }
        }
    }

    private int run(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--out";
        all[arguments.length + 1] = directory.toString();
        return new CompareMain(captured.plain(), () -> new Strategies(strategies), mode -> TINY, Duration.ofMinutes(1))
                .run(all);
    }

    private Path results() {
        return directory.resolve("results.json");
    }

    private Path report() {
        return directory.resolve("report.html");
    }

    private List<Document> strategies() throws IOException {
        return Document.parse(Files.readString(results())).getList("contenders", Document.class).stream()
                .filter(contender -> contender.getString("kind").equals("strategy"))
                .toList();
    }

    /** A strategy that interrupts the run on the first acquire, as a signal does. */
    private static final class InterruptingStrategy extends StubStrategy {
        private final Thread run;

        InterruptingStrategy(Thread run) {
            super("interrupting", Set.of());
            this.run = run;
        }

        @Override
        public Step<LockOutcome> acquire(AcquireContext context) {
            run.interrupt();
            return LockStrategies.named("flag-update").acquire(context);
        }
    }

    /** A strategy that closes its server on the first acquire. */
    private static final class ServerEndingStrategy extends StubStrategy {
        private final EmbeddedMongo server;

        ServerEndingStrategy(EmbeddedMongo server) {
            super("server-ending", Set.of());
            this.server = server;
        }

        @Override
        public Step<LockOutcome> acquire(AcquireContext context) {
            server.close();
            return super.acquire(context);
        }
    }
}
