package org.mongolocks.study;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The results of an unfinished run. They are printed once: all of them by the run at its end, or those that have arrived
 * when a signal (Ctrl-C, SIGTERM) ends the program.
 *
 * @param <T> a result
 */
final class ResultsSoFar<T> implements Consumer<T>, AutoCloseable {
    private static final long SECONDS_TO_STOP = 10;

    private final Queue<T> results = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isPrinting = new AtomicBoolean();
    private final CountDownLatch printed = new CountDownLatch(1);
    private final Thread stopped;

    /**
     * Begins.
     *
     * @param stopped prints the results in the order of their arrival, when a signal ends the program, while the run goes
     *     on; the program ends when it returns
     */
    ResultsSoFar(Consumer<List<T>> stopped) {
        this.stopped = new Thread(() -> print(() -> stopped.accept(List.copyOf(results))), "study-stopped");
        Runtime.getRuntime().addShutdownHook(this.stopped);
    }

    /** Adds a result; called on any thread. */
    @Override
    public void accept(T result) {
        results.add(result);
    }

    /** Prints the results, unless another thread does so, which this one waits for. */
    void print(Runnable results) {
        if (isPrinting.compareAndSet(false, true)) {
            results.run();
            printed.countDown();
        } else {
            await(printed);
        }
    }

    /** Waits for a limited time; less if the thread is interrupted, as a run is that a signal ends. */
    static void await(CountDownLatch latch) {
        try {
            latch.await(SECONDS_TO_STOP, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it: a later signal prints nothing. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(stopped);
        } catch (IllegalStateException e) {
            await(printed); // a signal ends the program
        }
    }
}
