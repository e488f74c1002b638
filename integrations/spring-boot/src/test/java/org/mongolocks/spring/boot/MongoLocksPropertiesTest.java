package org.mongolocks.spring.boot;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockRequest;
import org.mongolocks.SchemaMode;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.json.JsonParserFactory;

class MongoLocksPropertiesTest {
    /** The keys of {@link #everyKeyReachesTheBuilder}. */
    private static final List<String> BUILDER_KEYS = List.of(
            "mongo-locks.strategy=findandmodify-counter",
            "mongo-locks.collection=leases",
            "mongo-locks.default-ttl=40s",
            "mongo-locks.default-wait=6s",
            "mongo-locks.command-timeout=3s",
            "mongo-locks.skew-margin=70ms",
            "mongo-locks.schema=none",
            "mongo-locks.instance=billing-3",
            "mongo-locks.holder-info=false",
            "mongo-locks.close-timeout=4s",
            "mongo-locks.drain-timeout=2s",
            "mongo-locks.polling.first=2ms",
            "mongo-locks.polling.cap=3ms");
    /** The keys that the other tests set. */
    private static final Set<String> OTHER_KEYS = Set.of(
            "mongo-locks.enabled",
            "mongo-locks.database",
            "mongo-locks.lazy",
            "mongo-locks.leader-election.enabled",
            "mongo-locks.leader-election.close-timeout",
            "mongo-locks.sync.enabled",
            "mongo-locks.sync.mongo-client",
            "mongo-locks.reactive.enabled",
            "mongo-locks.reactive.mongo-client");

    private final TestApplication application = new TestApplication();

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void everyKeyReachesTheBuilder() {
        application
                .runner()
                .withPropertyValues(BUILDER_KEYS.toArray(String[]::new))
                .run(context -> {
                    ClientOptions<ClientSettings> builder = new ClientOptions<>(ClientOptions::settings);
                    ClientSettings settings = context.getBean(LockClientFactory.class)
                            .configure(builder, "test")
                            .build();

                    assertThat(settings.strategy().name()).isEqualTo("findandmodify-counter");
                    assertThat(settings.collection()).isEqualTo("leases");
                    assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(settings.schema()).isEqualTo(SchemaMode.NONE);
                    assertThat(settings.instance()).isEqualTo("billing-3");
                    assertThat(settings.polling().apply(1)).isBetween(1L, 2L);
                    assertThat(settings.polling().apply(10)).isBetween(1L, 3L);
                    assertThat(settings.holding().skewMargin()).contains(Duration.ofMillis(70));
                    assertThat(settings.holding().closeTimeout()).isEqualTo(Duration.ofSeconds(4));
                    assertThat(settings.holding().drainTimeout()).isEqualTo(Duration.ofSeconds(2));
                    assertThat(settings.holding().holderInfo().get()).isEqualTo(HolderInfo.none());
                    LockRequest request = builder.requestFactory().apply("invoice-42");
                    assertThat(request.ttl()).isEqualTo(Duration.ofSeconds(40));
                    assertThat(request.waitAtMost()).isEqualTo(Duration.ofSeconds(6));
                });
    }

    @Test
    void defaultsAreThoseOfTheBuilder() {
        application.runner().run(context -> {
            ClientOptions<ClientSettings> builder = new ClientOptions<>(ClientOptions::settings);
            ClientOptions<ClientSettings> plain =
                    new ClientOptions<ClientSettings>(ClientOptions::settings).strategy(TestApplication.STRATEGY);
            ClientSettings settings = context.getBean(LockClientFactory.class)
                    .configure(builder, "test")
                    .build();

            assertThat(settings)
                    .usingRecursiveComparison()
                    .comparingOnlyFields("collection", "commandTimeout", "schema")
                    .isEqualTo(plain.build());
            assertThat(settings.holding())
                    .usingRecursiveComparison()
                    .comparingOnlyFields("skewMargin", "closeTimeout")
                    .isEqualTo(plain.build().holding());
            assertThat(context.getBean(LockClient.class).request("invoice-42"))
                    .isEqualTo(plain.requestFactory().apply("invoice-42"));
            assertThat(settings.polling().apply(1)).isBetween(5L, 10L);
            assertThat(settings.polling().apply(100)).isBetween(500L, 1_000L);
        });
    }

    @Test
    void invalidValueIsReportedWithItsKey() {
        application
                .runner()
                .withPropertyValues("mongo-locks.command-timeout=1ms")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("mongo-locks.command-timeout"));
        application
                .runner()
                .withPropertyValues("mongo-locks.drain-timeout=-1s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("mongo-locks.drain-timeout"));
    }

    @Test
    void metadataDescribesEveryKeyThatIsTested() throws Exception {
        List<Map<String, Object>> keys = metadata().stream()
                .filter(key -> String.valueOf(key.get("name")).startsWith("mongo-locks."))
                .toList();

        assertThat(keys)
                .allSatisfy(key -> assertThat(key.get("description"))
                        .asString()
                        .endsWith(".")
                        .doesNotContain("The "));
        Set<String> tested = BUILDER_KEYS.stream()
                .map(key -> key.substring(0, key.indexOf('=')))
                .collect(toCollection(TreeSet::new));
        tested.addAll(OTHER_KEYS);
        assertThat(keys.stream().map(key -> key.get("name"))).containsExactlyInAnyOrderElementsOf(tested);
    }

    @Test
    void readmeOfTheStarterNamesEveryKey() throws Exception {
        String readme = Files.readString(Path.of("..", "spring-boot-starter", "README.md"));

        assertThat(metadata())
                .extracting(key -> String.valueOf(key.get("name")))
                .filteredOn(name -> name.startsWith("mongo-locks."))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(readme).contains("`" + name.substring("mongo-locks.".length()) + "`"));
    }

    /** The file that the annotation processor writes. */
    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> metadata() throws IOException, URISyntaxException {
        Path classes = Path.of(MongoLocksProperties.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String json = Files.readString(classes.resolve("META-INF/spring-configuration-metadata.json"));
        return (List<Map<String, Object>>) (List<?>) Objects.requireNonNull(
                JsonParserFactory.getJsonParser().parseMap(json).get("properties"));
    }
}
