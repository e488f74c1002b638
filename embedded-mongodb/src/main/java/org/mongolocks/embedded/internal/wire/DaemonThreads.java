package org.mongolocks.embedded.internal.wire;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads that do not keep the JVM alive. */
final class DaemonThreads implements ThreadFactory {
    private final AtomicInteger count = new AtomicInteger();
    private final String name;

    DaemonThreads(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name + '-' + count.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
