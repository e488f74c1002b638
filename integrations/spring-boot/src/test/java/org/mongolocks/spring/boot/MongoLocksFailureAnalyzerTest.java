package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** The analyses of failed starts, by the analyzers that Spring Boot finds. */
class MongoLocksFailureAnalyzerTest {
    private final TestApplication application = new TestApplication();

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void severalStrategiesAreReportedWithTheKey() {
        FailureAnalysis analysis = analysis(application
                .withoutStrategy()
                .withBean("one", LockStrategy.class, () -> LockStrategies.named("insert-unique"))
                .withBean("other", LockStrategy.class, () -> LockStrategies.named("insert-unique")));

        assertThat(analysis.getDescription()).contains("needs a strategy", "insert-unique");
        assertThat(analysis.getAction()).startsWith("Set mongo-locks.strategy");
    }

    @Test
    void unknownStrategyIsReportedWithItsDependency() {
        FailureAnalysis analysis =
                analysis(application.withoutStrategy().withPropertyValues("mongo-locks.strategy=zookeeper"));

        assertThat(analysis.getDescription()).contains("'zookeeper'");
        assertThat(analysis.getAction()).contains("mongo-locks-strategy-<name>");
    }

    @Test
    void missingDatabaseIsReportedWithTheKey() {
        FailureAnalysis analysis = analysis(TestApplication.withoutKeys()
                .withPropertyValues(
                        "mongo-locks.strategy=insert-unique", "spring.mongodb.uri=" + TestApplication.uri()));

        assertThat(analysis.getDescription()).contains("names no database");
        assertThat(analysis.getAction()).isEqualTo("Set mongo-locks.database");
    }

    @Test
    void unreachableServerIsReportedWithTheKeys() {
        FailureAnalysis analysis = analysis(application
                .runner()
                .withPropertyValues(
                        "spring.mongodb.uri=mongodb://localhost:1/?serverSelectionTimeoutMS=100",
                        "mongo-locks.command-timeout=200ms"));

        assertThat(analysis.getDescription()).contains("Preparing a client");
        assertThat(analysis.getAction()).contains("Check that MongoDB runs", "spring.mongodb.uri", "mongo-locks.lazy");
    }

    @Test
    void missingCollectionIsReportedWithTheKeys() {
        FailureAnalysis analysis = analysis(application.runner().withPropertyValues("mongo-locks.schema=validate"));

        assertThat(analysis.getDescription()).contains("collection 'locks.insert-unique' is missing");
        assertThat(analysis.getAction()).contains("mongo-locks.collection", "mongo-locks.schema=create", "./doctor");
    }

    /** Analyzers of Spring Boot that need a bean factory are left out. */
    private static FailureAnalysis analysis(ApplicationContextRunner runner) {
        List<FailureAnalysis> found = new ArrayList<>();
        runner.run(context -> {
            Throwable failure = Objects.requireNonNull(context.getStartupFailure(), "the start has not failed");
            List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation(
                            MongoLocksFailureAnalyzerTest.class.getClassLoader())
                    .load(FailureAnalyzer.class, (type, name, cause) -> {});
            analyzers.stream()
                    .filter(analyzer -> analyzer.getClass().getPackageName().startsWith("org.mongolocks"))
                    .map(analyzer -> analyzer.analyze(failure))
                    .filter(analysis -> analysis != null)
                    .forEach(found::add);
        });
        assertThat(found).hasSize(1);
        return found.get(0);
    }
}
