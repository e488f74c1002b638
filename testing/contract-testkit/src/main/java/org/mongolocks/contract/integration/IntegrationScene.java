package org.mongolocks.contract.integration;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.contract.adapter.EmbeddedScene;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.RacyCounter;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.sync.LockClient;
import org.mongolocks.time.Timer;
import reactor.core.publisher.Mono;

/** The applications of one rule, on the embedded server. */
final class IntegrationScene extends EmbeddedScene {
    private static final String DATABASE = "integrations";
    private static final int STEPS_PER_TTL = 12;

    private final String strategy;

    IntegrationScene(String strategy) {
        super(DATABASE, LockStrategies.named(strategy));
        this.strategy = strategy;
    }

    /** How a lock is lost. */
    enum Loss {
        /** An operator releases it by force. */
        FORCED {
            @Override
            void of(String lock, IntegrationScene scene) throws InterruptedException {
                scene.forceRelease(lock);
            }
        },
        /** The lease ends at once for all clients, as after a pause of the machine. */
        EXPIRED {
            @Override
            void of(String lock, IntegrationScene scene) {
                scene.server.elapse(TTL.multipliedBy(2));
            }
        };

        abstract void of(String lock, IntegrationScene scene) throws InterruptedException;
    }

    LockClient sync(Timer timer) throws InterruptedException {
        return client(ClientOptions.of(builder(connection())).defaultTtl(TTL).timer(timer));
    }

    ReactiveLockClient reactive(Timer timer) {
        LockClientBuilder<Mono<ReactiveLockClient>> builder =
                ReactiveLockClient.builder(connection().reactive(), DATABASE).drainTimeout(Duration.ZERO);
        return opened(ClientOptions.of(server.setClocks(builder))
                .strategy(strategy)
                .defaultTtl(TTL)
                .timer(timer)
                .build()
                .blockOptional()
                .orElseThrow());
    }

    /** Returns data that nothing protects but a lock. */
    RacyCounter counter(String name) {
        return new RacyCounter(connection().sync().getDatabase(DATABASE).getCollection("witnesses"), name);
    }

    /** Ends a lock as an operator does; its holder may renew it at the same time. */
    private void forceRelease(String name) throws InterruptedException {
        try (LockClient operator = client()) {
            boolean released = false;
            while (!released) {
                released = operator.forceRelease(operator.inspect(name).orElseThrow());
            }
        }
    }

    /** Lets a part of a lease pass, so short that no kept-alive lock is lost by it. */
    void step() {
        server.elapse(STEP);
    }

    /** Lets time pass in steps. */
    void elapseInSteps(int ttls) {
        for (int i = 0; i < ttls * STEPS_PER_TTL; i++) {
            step();
        }
    }

    /** Lets time pass in steps until a condition holds. */
    void eventually(String what, Callable<Boolean> condition) throws Exception {
        Eventually.isTrueWhile(what, condition, this::step);
    }
}
