package org.mongolocks.spring.boot;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the auto-configured clients when the context is closed: after the web server and the schedulers, whose phases
 * are higher, and before any bean is destroyed, the driver's client among them. A closed client is not opened again, so
 * a context that is only stopped or paused keeps it, and may be started again.
 */
final class LockClientShutdown implements SmartLifecycle {
    /** Low, so that the clients are closed late, with room for beans that are to stop after them. */
    static final int PHASE = Integer.MIN_VALUE + 1024;

    private final ConfigurableApplicationContext context;
    private final Duration drain;
    private final List<Consumer<Duration>> clients = new CopyOnWriteArrayList<>();
    private volatile boolean isRunning;

    LockClientShutdown(ConfigurableApplicationContext context, Duration drain) {
        if (drain.isNegative()) {
            throw new LockConfigurationException(
                    "Invalid value of mongo-locks.drain-timeout: it must not be negative, was " + drain,
                    "Change the value of mongo-locks.drain-timeout");
        }
        this.context = context;
        this.drain = drain;
    }

    /**
     * Adds a client.
     *
     * @param close closes it, after its work has ended or the given time has passed; further calls have no effect
     */
    void add(Consumer<Duration> close) {
        clients.add(close);
    }

    @Override
    public void start() {
        isRunning = true;
    }

    /** Goes on if the context is not closed, so that it is called again at the close. */
    @Override
    public void stop() {
        if (!context.isClosed()) {
            return;
        }
        isRunning = false;
        clients.forEach(close -> close.accept(drain));
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
