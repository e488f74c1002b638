package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;
import static org.mongolocks.spring.boot.TestApplication.NAME;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.contract.integration.NamedModuleContract;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.reactive.ReactiveLeaderElection;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.spring.boot.MongoLocksLeaderElectionAutoConfiguration.LeaderElectionShutdown;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** Leader election in an application, and its end in the shutdown. */
class MongoLocksLeaderElectionTest implements NamedModuleContract {
    private static final Candidate CANDIDATE = Candidate.of(NAME, Duration.ofMinutes(10));

    private final TestApplication application = new TestApplication();
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private final AtomicBoolean works = new AtomicBoolean();

    @AfterEach
    void close() {
        application.close();
    }

    /** The drain of the lock client is so long that a test would end by its timeout if the client waited for a leader. */
    private ApplicationContextRunner runner() {
        return application.runner().withPropertyValues("mongo-locks.drain-timeout=5m");
    }

    private void lead(LeaderElection election) throws Exception {
        var unused = election.lead(CANDIDATE, term -> {
            works.set(true);
            try {
                new CountDownLatch(1).await();
            } finally {
                ends.add("work");
            }
        });
        soon("it works", works::get);
    }

    @Test
    @Tag("finds:leader-closed-after-its-locks")
    void shutdownHandsOverBeforeTheLockClientWaitsForItsWork() {
        runner().run(context -> lead(context.getBean(LeaderElection.class)));

        assertThat(ends).containsExactly("work");
    }

    @Test
    @Tag("finds:context-restarted")
    void contextThatWasStartedAgainLeadsAndHandsOver() {
        runner().run(context -> {
            ConfigurableApplicationContext started = context.getSourceApplicationContext();
            started.stop();
            started.start();

            lead(context.getBean(LeaderElection.class));
        });

        assertThat(ends).containsExactly("work");
    }

    @Test
    void electionOfTheApplicationIsClosedLikewise() {
        runner().withUserConfiguration(OwnElection.class).run(context -> {
            assertThat(context).hasSingleBean(LeaderElection.class);
            lead(context.getBean(LeaderElection.class));
        });

        assertThat(ends).containsExactly("work");
    }

    @Test
    void rolesPassOnBeforeTheWebServerStops() {
        runner().withBean("web", StandInForTheWebServer.class, () -> new StandInForTheWebServer(ends))
                .run(context -> lead(context.getBean(LeaderElection.class)));

        assertThat(ends).containsExactly("work", "web");
    }

    @Test
    void reactiveLeaderIsCancelledAtTheShutdown() {
        runner().run(context -> {
            var unused = context.getBean(ReactiveLeaderElection.class)
                    .lead(
                            CANDIDATE,
                            term -> Mono.never()
                                    .doOnSubscribe(begun -> works.set(true))
                                    .doOnCancel(() -> ends.add("work")))
                    .subscribe();
            soon("it works", works::get);
        });

        assertThat(ends).containsExactly("work");
    }

    @Test
    void applicationNeedsOneClientOnly() {
        runner().withClassLoader(new FilteredClassLoader("org.mongolocks.reactive", "reactor.core"))
                .run(context -> assertThat(context)
                        .hasSingleBean(LeaderElection.class)
                        .doesNotHaveBean("reactiveLeaderElection"));
        runner().withClassLoader(new FilteredClassLoader("io.netty", "org.mongolocks.sync"))
                .run(context -> assertThat(context)
                        .hasSingleBean(ReactiveLeaderElection.class)
                        .doesNotHaveBean("leaderElection"));
    }

    @Test
    void electionBuildsNoLazyClient() {
        runner().withPropertyValues("mongo-locks.lazy=true")
                .run(context -> assertThat(context.getSourceApplicationContext()
                                .getBeanFactory()
                                .containsSingleton("lockClient"))
                        .isFalse());
    }

    @Test
    void keysSwitchItOffAndLimitItsEnd() {
        runner().withPropertyValues("mongo-locks.leader-election.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LeaderElection.class)
                        .doesNotHaveBean(LeaderElectionShutdown.class));
        runner().withPropertyValues("mongo-locks.leader-election.close-timeout=11m")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("mongo-locks.leader-election.close-timeout")
                        .hasMessageContaining("must be from PT0S to PT10M, was PT11M"));
    }

    /** An application that has its own. */
    @Configuration(proxyBeanMethods = false)
    static class OwnElection {
        @Bean
        LeaderElection own(LockClient locks) {
            return LeaderElection.with(locks);
        }
    }

    /** Stops in the phase in which Spring Boot's web servers begin their graceful shutdown. */
    private static final class StandInForTheWebServer implements SmartLifecycle {
        private final List<String> ends;
        private boolean isRunning;

        StandInForTheWebServer(List<String> ends) {
            this.ends = ends;
        }

        @Override
        public void start() {
            isRunning = true;
        }

        @Override
        public void stop() {
            isRunning = false;
            ends.add("web");
        }

        @Override
        public boolean isRunning() {
            return isRunning;
        }

        @Override
        public int getPhase() {
            return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE;
        }
    }
}
