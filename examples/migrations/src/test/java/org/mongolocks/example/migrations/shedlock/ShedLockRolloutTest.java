package org.mongolocks.example.migrations.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;
import org.mongolocks.example.migrations.Rollout;
import org.mongolocks.spring.EnableLocked;
import org.mongolocks.sync.LockClient;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** From ShedLock's own provider to this library's, and then to a release without ShedLock. */
class ShedLockRolloutTest extends Rollout {
    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class ReleaseWithoutShedLock {
        @Bean
        LockClient locks(MongoClient mongo) throws InterruptedException {
            return new NewRelease().locks(mongo);
        }
    }

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
    void annotationsOfBothLibrariesExcludeEachOther() throws Exception {
        assertExclusion(newRelease(), releaseWithoutShedLock());
        assertExclusion(releaseWithoutShedLock(), newRelease());
    }

    @Test
    void extensionKeepsBothLocks() {
        ExtensibleLockProvider both = provider(BothLocksRelease.class);
        ExtensibleLockProvider old = provider(OldRelease.class);
        ExtensibleLockProvider fresh = provider(NewRelease.class);
        LockConfiguration task = new LockConfiguration(Instant.now(), "task", Duration.ofMinutes(1), Duration.ZERO);

        SimpleLock extended = both.lock(task)
                .orElseThrow()
                .extend(Duration.ofMinutes(5), Duration.ZERO)
                .orElseThrow();

        assertThat(old.lock(task)).isEmpty();
        assertThat(fresh.lock(task)).isEmpty();
        extended.unlock();
        assertThat(old.lock(task)).isPresent();
        assertThat(fresh.lock(task)).hasValueSatisfying(SimpleLock::unlock);
    }

    @Test
    void extensionThatFindsTheNewLockLostFreesTheOld() throws InterruptedException {
        LockConfiguration task = new LockConfiguration(Instant.now(), "task", Duration.ofMinutes(1), Duration.ZERO);
        SimpleLock lock = provider(BothLocksRelease.class).lock(task).orElseThrow();
        LockClient operator = lockClient();
        operator.forceRelease(operator.inspect("task").orElseThrow());

        assertThat(lock.extend(Duration.ofMinutes(5), Duration.ZERO)).isEmpty();

        assertThat(provider(OldRelease.class).lock(task)).isPresent();
    }

    private Instance instance(Class<?> release) {
        AtomicReference<Runnable> next = new AtomicReference<>();
        Reports reports = context(release, new Reports(() -> next.get().run())).getBean(Reports.class);
        return work -> ran(next, work, reports::report);
    }

    private Instance releaseWithoutShedLock() {
        AtomicReference<Runnable> next = new AtomicReference<>();
        LockedReports reports = context(
                        ReleaseWithoutShedLock.class,
                        new LockedReports(() -> next.get().run()))
                .getBean(LockedReports.class);
        return work -> ran(next, work, reports::report);
    }

    private static boolean ran(AtomicReference<Runnable> next, Runnable work, Runnable method) {
        AtomicBoolean ran = new AtomicBoolean();
        next.set(() -> {
            ran.set(true);
            work.run();
        });
        method.run();
        return ran.get();
    }

    private ExtensibleLockProvider provider(Class<?> release) {
        return context(release, "no other bean").getBean(ExtensibleLockProvider.class);
    }

    @SuppressWarnings("unchecked")
    private <T> AnnotationConfigApplicationContext context(Class<?> release, T bean) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(MongoClient.class, () -> mongo, definition -> definition.setDestroyMethodName(""));
        context.registerBean((Class<T>) bean.getClass(), () -> bean);
        context.register(release);
        context.refresh();
        return opened(context);
    }
}
