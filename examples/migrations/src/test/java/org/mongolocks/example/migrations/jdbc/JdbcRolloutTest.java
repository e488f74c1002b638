package org.mongolocks.example.migrations.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.example.migrations.Rollout;
import org.mongolocks.sync.LockClient;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.PlatformTransactionManager;

/** From the registry on a relational database to the one on MongoDB. */
class JdbcRolloutTest extends Rollout {
    private final DataSource database = database();

    @Override
    protected Instance oldRelease() {
        return instance(OldRelease.class);
    }

    @Override
    protected Instance bothLocksRelease() {
        return instance(BothLocksRelease.class);
    }

    @Override
    protected Instance newRelease() {
        return instance(NewRelease.class);
    }

    @Test
    void threadEntersBothLocksAgain() throws InterruptedException {
        Lock lock = registry(BothLocksRelease.class).obtain("invoice-42");
        Lock old = registry(OldRelease.class).obtain("invoice-42");
        Lock fresh = registry(NewRelease.class).obtain("invoice-42");
        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock(1, TimeUnit.MINUTES)).isTrue();

        lock.unlock();
        lock.unlock();
        assertThat(old.tryLock()).isFalse();
        assertThat(fresh.tryLock()).isFalse();
        lock.unlock();

        assertThat(old.tryLock()).isTrue();
        assertThat(fresh.tryLock()).isTrue();
        fresh.unlock();
    }

    @Test
    void lossOfTheSecondLockUnlocksTheFirst() throws InterruptedException {
        AnnotationConfigApplicationContext context = context(BothLocksRelease.class);
        Lock lock = context.getBean(LockRegistry.class).obtain("invoice-42");
        LockClient locks = context.getBean(LockClient.class);
        lock.lock();
        for (LockSnapshot held : locks.list(LockQuery.all()).locks()) {
            assertThat(locks.forceRelease(held)).isTrue();
        }

        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);

        assertThat(registry(OldRelease.class).obtain("invoice-42").tryLock()).isTrue();
    }

    private Instance instance(Class<?> release) {
        LockRegistry<?> registry = registry(release);
        return work -> {
            try {
                registry.executeLocked("invoice-42", Duration.ZERO, work::run);
                return true;
            } catch (TimeoutException e) {
                return false;
            }
        };
    }

    private LockRegistry<?> registry(Class<?> release) {
        return context(release).getBean(LockRegistry.class);
    }

    private AnnotationConfigApplicationContext context(Class<?> release) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(MongoClient.class, () -> mongo, definition -> definition.setDestroyMethodName(""));
        context.registerBean(DataSource.class, () -> database);
        context.registerBean(PlatformTransactionManager.class, () -> new DataSourceTransactionManager(database));
        context.register(release);
        context.refresh();
        return opened(context);
    }

    private static DataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        new ResourceDatabasePopulator(new ClassPathResource("org/springframework/integration/jdbc/schema-h2.sql"))
                .execute(database);
        return database;
    }
}
