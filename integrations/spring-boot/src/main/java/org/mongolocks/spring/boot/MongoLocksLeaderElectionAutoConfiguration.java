package org.mongolocks.spring.boot;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.mongolocks.leader.reactive.ReactiveLeaderElection;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.LockClient;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of a {@link LeaderElection} and a {@link ReactiveLeaderElection}, each on the only or primary client
 * of its kind, where {@code mongo-locks-leader-election} is on the class path and the application has none of its own.
 * All elections, those of the application too, are closed early in the shutdown, so that the roles pass on at once.
 */
@AutoConfiguration(after = {MongoLocksAutoConfiguration.class, MongoLocksReactiveAutoConfiguration.class})
@ConditionalOnClass(LeaderElection.class)
@ConditionalOnBooleanProperty(
        name = {"mongo-locks.enabled", "mongo-locks.leader-election.enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(MongoLocksProperties.class)
public final class MongoLocksLeaderElectionAutoConfiguration {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    private static final String LIMIT_KEY = "mongo-locks.leader-election.close-timeout";

    /** Created by Spring. */
    MongoLocksLeaderElectionAutoConfiguration() {}

    /** Returns the beans that were created, and creates none. */
    private static <T> Stream<T> created(ConfigurableApplicationContext context, Class<T> type) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        return Stream.of(beans.getBeanNamesForType(type, true, false))
                .filter(beans::containsSingleton)
                .map(name -> beans.getBean(name, type));
    }

    private static Duration closeTimeout(MongoLocksProperties properties) {
        return properties.leaderElection().closeTimeout();
    }

    /**
     * Closes the elections when the context is closed: after what uses them and runs in the default phase, such as
     * initiators of Spring Integration, before the web server, and long before the lock clients. A context that is only
     * stopped or paused keeps them, and may be started again.
     */
    static final class LeaderElectionShutdown implements SmartLifecycle {
        /** The web server begins its graceful shutdown 1024 below the default phase. */
        static final int PHASE = DEFAULT_PHASE - 512;

        private static final Duration MAX_LIMIT = Duration.ofMinutes(10);

        private final ConfigurableApplicationContext context;
        private final Runnable closing;
        private volatile boolean isRunning;

        LeaderElectionShutdown(ConfigurableApplicationContext context, Duration limit, Runnable closing) {
            if (limit.isNegative() || limit.compareTo(MAX_LIMIT) > 0) {
                throw new LockConfigurationException(
                        "Invalid value of " + LIMIT_KEY + ": it must be from PT0S to " + MAX_LIMIT + ", was " + limit,
                        "Change the value of " + LIMIT_KEY);
            }
            this.context = context;
            this.closing = closing;
        }

        @Override
        public void start() {
            isRunning = true;
        }

        /** Goes on if the context is not closed, so that it is called again at the close. */
        @Override
        public void stop() {
            if (context.isClosed()) {
                isRunning = false;
                closing.run();
            }
        }

        @Override
        public boolean isRunning() {
            return isRunning;
        }

        @Override
        public boolean isPauseable() {
            return false;
        }

        @Override
        public int getPhase() {
            return PHASE;
        }
    }

    /** The election on the synchronous client. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockClient.class)
    static class OnSyncClient {
        /** Lazy, so that it does not build a client that is lazy itself. */
        @Bean
        @Lazy
        @ConditionalOnSingleCandidate(LockClient.class)
        @ConditionalOnMissingBean
        LeaderElection leaderElection(LockClient locks, MongoLocksProperties properties) {
            return LeaderElection.builder(locks)
                    .closeTimeout(closeTimeout(properties))
                    .build();
        }

        @Bean
        LeaderElectionShutdown mongoLocksLeaderElectionShutdown(
                ConfigurableApplicationContext context, MongoLocksProperties properties) {
            return new LeaderElectionShutdown(
                    context,
                    closeTimeout(properties),
                    () -> created(context, LeaderElection.class).forEach(LeaderElection::close));
        }
    }

    /** The election on the reactive client. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ReactiveLockClient.class)
    static class OnReactiveClient {
        /** Lazy for the same reason. */
        @Bean
        @Lazy
        @ConditionalOnSingleCandidate(ReactiveLockClient.class)
        @ConditionalOnMissingBean
        ReactiveLeaderElection reactiveLeaderElection(ReactiveLockClient locks) {
            return ReactiveLeaderElection.with(locks);
        }

        @Bean
        LeaderElectionShutdown mongoLocksReactiveLeaderElectionShutdown(
                ConfigurableApplicationContext context, MongoLocksProperties properties) {
            Duration limit = closeTimeout(properties);
            return new LeaderElectionShutdown(
                    context,
                    limit,
                    () -> created(context, ReactiveLeaderElection.class).forEach(election -> close(election, limit)));
        }

        /** An interrupt ends the wait, not the closing. */
        private static void close(ReactiveLeaderElection election, Duration limit) {
            CompletableFuture<Void> ended = election.closeLater(limit).toFuture();
            try {
                ended.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException | ExecutionException e) {
                LOG.log(WARNING, "A leader election has not ended within " + limit, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
