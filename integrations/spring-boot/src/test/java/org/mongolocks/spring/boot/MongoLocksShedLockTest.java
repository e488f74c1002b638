package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.spring.boot.TestApplication.NAME;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.shedlock.MongoLocksLockProvider;
import org.mongolocks.shedlock.ReactiveMongoLocksLockProvider;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** ShedLock's provider on the auto-configured clients. */
class MongoLocksShedLockTest {
    private static final LockConfiguration TASK =
            new LockConfiguration(Instant.EPOCH, NAME, Duration.ofMinutes(1), Duration.ZERO);

    private final TestApplication application = new TestApplication();

    @AfterEach
    void close() {
        application.close();
    }

    private ApplicationContextRunner reactiveOnly() {
        return application.runner().withPropertyValues("mongo-locks.sync.enabled=false");
    }

    private void assertLocks(LockProvider provider) throws InterruptedException {
        SimpleLock lock = provider.lock(TASK).orElseThrow();
        assertThat(application.isHeld()).isTrue();
        lock.unlock();
        assertThat(application.isHeld()).isFalse();
    }

    @Test
    void providerUsesTheSynchronousClientIfThereAreBoth() {
        application.runner().run(context -> {
            assertThat(context).hasSingleBean(LockProvider.class);
            assertThat(context).hasSingleBean(MongoLocksLockProvider.class);
            assertLocks(context.getBean(LockProvider.class));
        });
    }

    @Test
    void reactiveApplicationHasAProviderOnItsClient() {
        reactiveOnly().run(context -> {
            assertThat(context).hasSingleBean(ReactiveMongoLocksLockProvider.class);
            assertLocks(context.getBean(LockProvider.class));
        });
    }

    @Test
    void reactiveApplicationNeedsNoneOfTheSynchronousClasses() {
        application
                .runner()
                .withClassLoader(new FilteredClassLoader("io.netty", "org.mongolocks.sync"))
                .run(context -> assertLocks(context.getBean(ReactiveMongoLocksLockProvider.class)));
    }

    @Test
    void synchronousApplicationNeedsNoneOfTheReactiveClasses() {
        application
                .runner()
                .withClassLoader(new FilteredClassLoader("org.mongolocks.reactive", "reactor.core"))
                .run(context -> assertLocks(context.getBean(MongoLocksLockProvider.class)));
    }

    @Test
    void providerOfTheApplicationIsKept() {
        LockProvider own = configuration -> Optional.empty();
        application
                .runner()
                .withBean("own", LockProvider.class, () -> own)
                .run(context -> assertThat(context.getBean(LockProvider.class)).isSameAs(own));
        reactiveOnly()
                .withBean("own", LockProvider.class, () -> own)
                .run(context -> assertThat(context.getBean(LockProvider.class)).isSameAs(own));
    }

    @Test
    @Tag("finds:shedlock-other-provider")
    void startSaysWhichProviderIsUsed() {
        List<LogRecord> entries = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("org.mongolocks");
        logger.setFilter(entries::add);
        try {
            application.runner().run(context -> {});
            application
                    .runner()
                    .withBean("old", LockProvider.class, () -> configuration -> Optional.empty())
                    .run(context -> {});
        } finally {
            logger.setFilter(null);
        }

        List<LogRecord> reports = entries.stream()
                .filter(entry -> entry.getMessage().startsWith("ShedLock uses"))
                .toList();
        assertThat(reports).hasSize(2);
        assertThat(reports.get(0).getLevel()).isEqualTo(Level.INFO);
        assertThat(reports.get(0).getMessage()).contains("'mongoLocksLockProvider' of mongo-locks");
        assertThat(reports.get(1).getLevel()).isEqualTo(Level.WARNING);
        assertThat(reports.get(1).getMessage()).contains("'old', which is not of mongo-locks");
    }

    @Test
    void providerBuildsNoLazyClient() {
        reactiveOnly().withPropertyValues("mongo-locks.lazy=true").run(context -> {
            assertThat(context).hasSingleBean(LockProvider.class);
            assertThat(context.getSourceApplicationContext().getBeanFactory().containsSingleton("reactiveLockClient"))
                    .isFalse();
        });
    }

    @Test
    void applicationWithoutClientHasNoProvider() {
        application
                .runner()
                .withPropertyValues("mongo-locks.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(LockProvider.class));
    }
}
