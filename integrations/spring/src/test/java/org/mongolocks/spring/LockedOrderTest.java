package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockLostException;
import org.mongolocks.spring.LockingScene.Enabled;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests of the order of lock and transaction. */
class LockedOrderTest {
    private LockingScene scene;

    @BeforeEach
    void open() throws InterruptedException {
        scene = new LockingScene();
        Transactions.events = new CopyOnWriteArrayList<>();
        Transactions.scene = scene;
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** A transaction manager that records whether the lock is held. */
    static final class Transactions extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1L;

        private static List<String> events = new CopyOnWriteArrayList<>();

        private static LockingScene scene;

        static void record(String event) {
            try {
                events.add(event + (scene.isHeld("order") ? " held" : " free"));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            record("begin");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            record("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            record("rollback");
        }
    }

    /** Transactions with the default order. */
    @EnableTransactionManagement
    static class WithTransactions {
        @Bean
        static PlatformTransactionManager transactions() {
            return new Transactions();
        }
    }

    /** A lock inside of the transaction, which is what the default order avoids. */
    @EnableTransactionManagement(order = 0)
    @EnableLocked(order = 1)
    static class LockInside {
        @Bean
        static PlatformTransactionManager transactions() {
            return new Transactions();
        }
    }

    @Test
    @Tag("finds:lock-inside-its-transaction")
    void lockInsideOfTheTransactionIsReportedAtStart() {
        try (Warnings warnings = Warnings.collect()) {
            scene.context(LockInside.class, Orders.class);

            assertThat(warnings.messages())
                    .anySatisfy(warning -> assertThat(warning)
                            .contains("Orders.book()")
                            .contains("inside of its transaction")
                            .contains("order of the lock is 1, that of the transaction 0"));
        }
    }

    @Test
    void lockOutsideOfTheTransactionIsNotReported() {
        try (Warnings warnings = Warnings.collect()) {
            scene.context(Enabled.class, WithTransactions.class, Orders.class);

            assertThat(warnings.messages()).isEmpty();
        }
    }

    /** Transactions in the middle of the work. */
    static class Templates {
        private final TransactionTemplate template = new TransactionTemplate(new Transactions());

        @Autowired
        void use(PlatformTransactionManager transactions) {
            template.setTransactionManager(transactions);
        }

        @Locked("order")
        public void book(Runnable first, Runnable second) {
            template.executeWithoutResult(status -> first.run());
            template.executeWithoutResult(status -> second.run());
        }

        @Transactional
        @Locked(name = "order", fixedLease = true)
        public void declared(Runnable work) {
            work.run();
        }
    }

    @Test
    @Tag("finds:commit-after-loss")
    void transactionIsRolledBackIfTheLockIsLostBeforeTheCommit() {
        Templates bean = scene.context(Enabled.class, WithTransactions.class, Templates.class)
                .getBean(Templates.class);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> bean.declared(() -> scene.server.elapse(LockingScene.TTL)))
                .withMessageContaining("its transaction was rolled back and not committed");

        assertThat(Transactions.events).containsExactly("begin held", "rollback free");
    }

    @Test
    @Tag("finds:commit-unmentioned")
    void lossAfterACommitSaysWhatWasCommitted() {
        Templates bean = scene.context(Enabled.class, WithTransactions.class, Templates.class)
                .getBean(Templates.class);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> bean.book(() -> {}, this::loseTheLock))
                .withMessageContaining("1 transaction of it had been committed before the loss was noticed")
                .havingCause()
                .withMessageContaining("its transaction was rolled back and not committed");

        assertThat(Transactions.events).containsExactly("begin held", "commit held", "begin held", "rollback free");
    }

    private void loseTheLock() {
        try {
            scene.forceRelease("order");
            CurrentLock.get().renew();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void transactionManagerOfAParentIsWatched() {
        AnnotationConfigApplicationContext parent = scene.context(WithTransactions.class);
        AnnotationConfigApplicationContext child = scene.unstarted(Enabled.class, Templates.class);
        child.setParent(parent);
        child.refresh();

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> child.getBean(Templates.class).book(this::loseTheLock, () -> {}))
                .withMessageContaining("its transaction was rolled back and not committed");
    }

    /** A configuration that is imported without the annotation, and transactions of a chosen order. */
    @EnableTransactionManagement(order = Integer.MAX_VALUE - 1)
    static class Imported {
        @Bean
        static PlatformTransactionManager transactions() {
            return new Transactions();
        }
    }

    /** A bean with both annotations. */
    static class Orders {
        @Transactional
        @Locked("order")
        public void book() {
            Transactions.record("work");
        }

        @Transactional
        @Locked("order")
        public void fail() {
            throw new IllegalStateException("a failure, for a test");
        }
    }

    @Test
    void lockOutlastsTheCommit() throws Exception {
        scene.context(Enabled.class, WithTransactions.class, Orders.class)
                .getBean(Orders.class)
                .book();

        assertThat(Transactions.events).containsExactly("begin held", "work held", "commit held");
        assertThat(scene.isHeld("order")).isFalse();
    }

    @Test
    void lockOutlastsTheRollback() {
        Orders orders = scene.context(WithTransactions.class, Enabled.class, Orders.class)
                .getBean(Orders.class);

        assertThatIllegalStateException().isThrownBy(orders::fail).withMessage("a failure, for a test");

        assertThat(Transactions.events).containsExactly("begin held", "rollback held");
    }

    @Test
    void configurationImportedWithoutTheAnnotationHasTheDefaultOrder() {
        scene.context(LockedConfiguration.class, Imported.class, Orders.class)
                .getBean(Orders.class)
                .book();

        assertThat(Transactions.events).containsExactly("begin held", "work held", "commit held");
    }

    @Test
    void orderOfTheAnnotationIsUsed() {
        scene.context(LockInside.class, Orders.class).getBean(Orders.class).book();

        assertThat(Transactions.events).containsExactly("begin free", "work held", "commit free");
    }

    /** A bean that is called again after a failure, and one that works on another thread. */
    @EnableAsync
    @EnableResilientMethods
    static class Repeating {
        private final Set<Long> tokens = new HashSet<>();

        @Retryable(maxRetries = 2, delay = 0)
        @Locked("order")
        public int repeat() {
            tokens.add(CurrentLock.get().fencingToken());
            if (tokens.size() < 3) {
                throw new IllegalStateException("a failure, for a test");
            }
            return tokens.size();
        }

        @Async
        @Locked("order")
        public CompletableFuture<String> async(Thread caller) {
            String thread = Thread.currentThread() == caller ? "caller" : "another thread";
            Transactions.record(thread);
            return CompletableFuture.completedFuture(
                    CurrentLock.get().lease().name().value());
        }
    }

    @Test
    void eachAttemptOfARetryAcquiresTheLock() {
        Repeating bean = scene.bean(Repeating.class);

        assertThat(bean.repeat()).isEqualTo(3);
    }

    @Test
    void asynchronousMethodIsLockedOnItsOwnThread() throws Exception {
        Repeating bean = scene.bean(Repeating.class);

        assertThat(bean.async(Thread.currentThread()).get(30, TimeUnit.SECONDS)).isEqualTo("order");

        assertThat(Transactions.events).containsExactly("another thread held");
        assertThat(scene.isHeld("order")).isFalse();
    }
}
