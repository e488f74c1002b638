package org.mongolocks.spring;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that release the locks of completed stages, because the thread that completes a stage may be one that
 * must not block. They are daemon threads, at most eight, and end when they are idle.
 */
final class Releases implements Executor {
    private static final int MAX_THREADS = 8;
    private static final int IDLE_SECONDS = 30;

    private final AtomicInteger threads = new AtomicInteger();
    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            MAX_THREADS,
            MAX_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            this::thread,
            (release, closed) -> release.run());

    Releases() {
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable release) {
        pool.execute(release);
    }

    /** Ends the threads when they have run what is queued; later releases run on the calling thread. */
    void close() {
        pool.shutdown();
    }

    /** Returns a thread with neither the context class loader nor the inheritable thread locals of the caller. */
    private Thread thread(Runnable task) {
        Thread thread = new Thread(null, task, "mongo-locks-release-" + threads.incrementAndGet(), 0, false);
        thread.setContextClassLoader(null);
        thread.setDaemon(true);
        return thread;
    }
}
