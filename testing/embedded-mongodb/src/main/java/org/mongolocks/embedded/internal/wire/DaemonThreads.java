package org.mongolocks.embedded.internal.wire;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads that do not keep the JVM alive. */
final class DaemonThreads implements ThreadFactory {
    private static final int SECONDS_TO_END = 10;

    private final AtomicInteger count = new AtomicInteger();
    private final Queue<Thread> made = new ConcurrentLinkedQueue<>();
    private final String name;

    DaemonThreads(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name + '-' + count.incrementAndGet());
        thread.setDaemon(true);
        made.add(thread);
        return thread;
    }

    /** Waits for the end of all threads; the executor reports its end a moment before they have ended. */
    void awaitEnd() {
        try {
            for (Thread thread : made) {
                if (thread != Thread.currentThread()) {
                    TimeUnit.SECONDS.timedJoin(thread, SECONDS_TO_END);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
