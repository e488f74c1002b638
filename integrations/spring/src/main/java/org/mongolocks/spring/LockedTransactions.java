package org.mongolocks.spring;

import org.jspecify.annotations.Nullable;
import org.mongolocks.sync.HeldLock;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Refuses to commit a transaction inside of a method under {@link Locked} whose lock is lost: the transaction is rolled
 * back. It listens to the transaction managers of the context and its ancestors. Registered where Spring's transactions
 * are on the class path.
 */
final class LockedTransactions implements BeanPostProcessor, BeanFactoryAware, SmartInitializingSingleton {
    private static final TransactionExecutionListener LISTENER = new CommitUnderLock();

    private @Nullable BeanFactory beans;

    @Override
    public void setBeanFactory(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            listenTo(manager);
        }
        return bean;
    }

    /** Listens to the managers that exist already, those of the ancestors among them. */
    @Override
    public void afterSingletonsInstantiated() {
        if (beans instanceof ConfigurableListableBeanFactory known) {
            for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                    known, ConfigurableTransactionManager.class, false, false)) {
                listenTo(known.getBean(name, ConfigurableTransactionManager.class));
            }
        }
    }

    private static void listenTo(ConfigurableTransactionManager manager) {
        if (!manager.getTransactionExecutionListeners().contains(LISTENER)) {
            manager.addListener(LISTENER);
        }
    }

    /** The listener, one for all contexts. */
    private static final class CommitUnderLock implements TransactionExecutionListener {
        /** Whether the thread was interrupted when its transaction was to be rolled back. */
        private static final ThreadLocal<Boolean> INTERRUPTED = ThreadLocal.withInitial(() -> false);

        /** An exception here makes the transaction manager roll back, without a call before. */
        @Override
        public void beforeCommit(TransactionExecution transaction) {
            CurrentLock.findLost().ifPresent(lost -> {
                beforeRollback(transaction);
                refuse(lost);
            });
        }

        /** The loss may have interrupted this thread, where the driver would refuse to roll back. */
        @Override
        public void beforeRollback(TransactionExecution transaction) {
            if (CurrentLock.findLost().isPresent() && Thread.interrupted()) {
                INTERRUPTED.set(true);
            }
        }

        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
            if (INTERRUPTED.get()) {
                Thread.currentThread().interrupt();
            }
            INTERRUPTED.remove();
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            if (failure == null) {
                CurrentLock.countCommit();
            }
        }

        private static void refuse(HeldLock lost) {
            throw lost.lossException().orElseThrow().withEffects("its transaction was rolled back and not committed");
        }
    }
}
