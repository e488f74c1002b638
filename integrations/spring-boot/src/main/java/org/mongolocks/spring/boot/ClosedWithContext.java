package org.mongolocks.spring.boot;

import java.time.Duration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Closes lock clients or elections when the context is closed, in a phase before any bean is destroyed. What is closed is
 * not opened again, so that a context that is only stopped or paused keeps it, and may be started again.
 */
abstract class ClosedWithContext implements SmartLifecycle {
    private final ConfigurableApplicationContext context;
    private final int phase;
    private final Duration limit;
    private volatile boolean isRunning;

    /**
     * Creates it.
     *
     * @param phase when it closes: from the highest phase to the lowest
     * @param limit for how long the closing may wait
     */
    ClosedWithContext(ConfigurableApplicationContext context, int phase, Duration limit) {
        this.context = context;
        this.phase = phase;
        this.limit = limit;
    }

    /** Closes; further calls have no effect. */
    abstract void close(Duration limit);

    @Override
    public final void start() {
        isRunning = true;
    }

    /** Goes on if the context is not closed, so that it is called again at the close. */
    @Override
    public final void stop() {
        if (!context.isClosed()) {
            return;
        }
        isRunning = false;
        close(limit);
    }

    @Override
    public final boolean isRunning() {
        return isRunning;
    }

    @Override
    public final boolean isPauseable() {
        return false;
    }

    @Override
    public final int getPhase() {
        return phase;
    }
}
