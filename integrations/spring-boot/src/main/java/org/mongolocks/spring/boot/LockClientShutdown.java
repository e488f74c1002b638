package org.mongolocks.spring.boot;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Closes the auto-configured clients: after the web server and the schedulers, whose phases are higher, and before any
 * bean is destroyed, the driver's client among them.
 */
final class LockClientShutdown extends ClosedWithContext {
    /** Low, so that the clients are closed late, with room for beans that are to stop after them. */
    static final int PHASE = Integer.MIN_VALUE + 1024;

    private final List<Consumer<Duration>> clients = new CopyOnWriteArrayList<>();

    LockClientShutdown(ConfigurableApplicationContext context, Duration drain) {
        super(context, PHASE, drain);
        if (drain.isNegative()) {
            throw new LockConfigurationException(
                    "Invalid value of mongo-locks.drain-timeout: it must not be negative, was " + drain,
                    "Change the value of mongo-locks.drain-timeout");
        }
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
    void close(Duration drain) {
        clients.forEach(close -> close.accept(drain));
    }
}
