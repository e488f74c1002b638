package org.mongolocks.contract.integration;

import java.time.Duration;
import org.mongolocks.contract.adapter.EmbeddedScene;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.LockClient;
import org.mongolocks.time.Timer;

/** The lock clients of one application; their clocks move with the embedded server's. They are closed after the rule. */
public final class ApplicationClients {
    /** The ttl of all locks. */
    public static final Duration TTL = EmbeddedScene.TTL;

    private final IntegrationScene scene;
    private volatile boolean hasCrashed;

    ApplicationClients(IntegrationScene scene) {
        this.scene = scene;
    }

    /**
     * Opens a synchronous client.
     *
     * @return the client, whose default ttl is {@link #TTL}
     * @throws InterruptedException if the thread was interrupted
     */
    public LockClient sync() throws InterruptedException {
        return scene.sync(timer());
    }

    /**
     * Opens a reactive client.
     *
     * @return the client, whose default ttl is {@link #TTL}
     */
    public ReactiveLockClient reactive() {
        return scene.reactive(timer());
    }

    /**
     * Returns the timer of the clients, for an integration that has a timer of its own.
     *
     * @return the timer, which moves with the server's clock
     */
    public Timer timer() {
        Timer shared = scene.server.timer().orElseThrow();
        return (delay, task) -> shared.schedule(delay, () -> {
            if (!hasCrashed) {
                task.run();
            }
        });
    }

    /** Ends all that the clients do by themselves: nothing is renewed any more, and work that blocks never ends. */
    void crash() {
        hasCrashed = true;
    }
}
