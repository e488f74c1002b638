package org.mongolocks.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.mongodb.MongoMetricsCommandListener;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockRequest;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.LockClient;

/** The dashboard and the alert rules against what Prometheus would scrape, and the README against the meters. */
class DashboardTest {
    private static final Path DASHBOARD = Path.of("grafana", "mongo-locks.json");
    private static final Path ALERTS = Path.of("grafana", "mongo-locks-alerts.yml");
    /** Prometheus adds these to what it scrapes. */
    private static final Set<String> LABELS_OF_THE_TARGET = Set.of("instance", "job");

    private static final PrometheusMeterRegistry REGISTRY = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private static String scrape = "";
    private static Set<String> ownMeters = Set.of();

    @BeforeAll
    static void runLocks() throws Exception {
        LockRequest request = LockRequest.of("lock-" + UUID.randomUUID(), Duration.ofSeconds(30))
                .fixedLease();
        try (DriverClients connection = DriverClients.observedBy(
                        ServerFinder.found().uri(), new MongoMetricsCommandListener(REGISTRY));
                LockMetrics metrics = LockMetrics.of(REGISTRY, "orders")) {
            LockClientBuilder<LockClient> builder = LockClient.builder(connection.sync(), "metered");
            try (LockClient locks =
                    metrics.observe(builder.strategy("findandmodify-counter")).build()) {
                assertThat(locks.tryWithLock(request, lock -> {})).isTrue();
            }
            Eventually.isTrue(
                    "the release is counted",
                    () -> REGISTRY.get("mongo.locks.hold")
                                    .tag("outcome", "released")
                                    .timer()
                                    .count()
                            == 1);
            scrape = REGISTRY.scrape();
            ownMeters = namesOfOwnMeters();
            connection.sync().getDatabase("metered").drop();
        }
    }

    @AfterAll
    static void close() {
        REGISTRY.close();
    }

    @Test
    void dashboardHasOnlyScrapedNamesLabelsAndValues() throws IOException {
        assertScraped(queriesOfTheDashboard());
    }

    @Test
    void alertRulesHaveOnlyScrapedNamesLabelsAndValues() throws IOException {
        assertScraped(queriesOfTheAlerts());
    }

    @Test
    void everyMeterIsInTheDashboard() throws IOException {
        String queries = String.join("\n", queriesOfTheDashboard());

        assertThat(ownMeters).hasSize(10).allSatisfy(name -> assertThat(queries).contains(name.replace('.', '_')));
    }

    @Test
    void everyMeterIsInTheReadmeAndTheJavadoc() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        String source =
                Files.readString(Path.of("src", "main", "java", "org", "mongolocks", "micrometer", "LockMetrics.java"));

        assertThat(ownMeters).allSatisfy(name -> {
            assertThat(readme).contains("`" + name + "`");
            assertThat(source).contains("{@code " + name + "}");
        });
    }

    /** A {@code getMore} of a change stream takes as long as no event comes. */
    @Test
    void timesOfCommandsLeaveOutThoseThatWait() throws IOException {
        assertThat(queriesOfTheDashboard())
                .filteredOn(query -> query.contains("mongodb_driver_commands"))
                .isNotEmpty()
                .allSatisfy(query -> assertThat(query.split("mongodb_driver_commands", -1))
                        .hasSameSizeAs(query.split("command!=\"getMore\"", -1)));
    }

    @Test
    void panelsHaveDifferentNumbersAndADescription() throws IOException {
        List<Document> panels = dashboard().getList("panels", Document.class);

        assertThat(panels).extracting(panel -> panel.getInteger("id")).doesNotHaveDuplicates();
        assertThat(panels)
                .allSatisfy(panel -> assertThat(panel.getString("description")).isNotBlank());
    }

    private static void assertScraped(List<String> queries) {
        assertThat(queries).isNotEmpty().allSatisfy(query -> {
            assertThat(found("\\b(?:mongo_locks|mongodb_driver)_[a-z_]+", query, MatchResult::group))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(scrape).containsPattern("(?m)^" + name + "[ {]"));
            assertThat(labels(query)).allSatisfy(label -> assertThat(scrape).contains(label + "=\""));
            assertThat(values(query)).allSatisfy(value -> assertThat(scrape).contains(value));
        });
    }

    /** Returns the labels that a query selects or groups by. */
    private static Set<String> labels(String query) {
        Set<String> labels = found("([a-z_]+)(?:=~|!~|!=|=)\"", query, match -> match.group(1));
        found("by \\(([^)]*)\\)", query, match -> match.group(1))
                .forEach(list -> labels.addAll(List.of(list.split(", "))));
        labels.removeAll(LABELS_OF_THE_TARGET);
        return labels;
    }

    /** Returns each value that a query compares a label with, as the scrape shows it: {@code outcome="failed"}. */
    private static Set<String> values(String query) {
        return found("([a-z_]+)(?:=~|!~|!=|=)\"([a-z_|]+)\"", query, Function.identity()).stream()
                .flatMap(match ->
                        Stream.of(match.group(2).split("[|]")).map(value -> match.group(1) + "=\"" + value + "\""))
                .collect(Collectors.toSet());
    }

    private static <T> Set<T> found(String pattern, String text, Function<MatchResult, T> part) {
        return Pattern.compile(pattern).matcher(text).results().map(part).collect(Collectors.toSet());
    }

    private static List<String> queriesOfTheDashboard() throws IOException {
        Stream<String> panels = dashboard().getList("panels", Document.class).stream()
                .flatMap(panel -> panel.getList("targets", Document.class).stream())
                .map(target -> target.getString("expr"));
        Stream<String> variables =
                dashboard().get("templating", Document.class).getList("list", Document.class).stream()
                        .filter(variable -> "query".equals(variable.getString("type")))
                        .map(variable -> variable.getString("definition"));
        return Stream.concat(panels, variables).toList();
    }

    /** Returns the expressions of the rules; a folded one ends at the next key. */
    private static List<String> queriesOfTheAlerts() throws IOException {
        String rules = Files.readString(ALERTS);
        List<String> queries = Pattern.compile("(?s) expr: (.*?)\n        [a-z]+:")
                .matcher(rules)
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(queries).hasSize(rules.split("- alert:", -1).length - 1);
        return queries;
    }

    private static Document dashboard() throws IOException {
        return Document.parse(Files.readString(DASHBOARD));
    }

    private static Set<String> namesOfOwnMeters() {
        return REGISTRY.getMeters().stream()
                .map(Meter::getId)
                .map(Meter.Id::getName)
                .filter(name -> name.startsWith("mongo.locks."))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
