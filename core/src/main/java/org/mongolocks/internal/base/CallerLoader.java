package org.mongolocks.internal.base;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The context class loader of a caller, for code that the caller hands over and that another thread runs: it finds the
 * services and resources that the caller finds. Immutable.
 */
public final class CallerLoader {
    private final @Nullable ClassLoader loader;

    private CallerLoader(@Nullable ClassLoader loader) {
        this.loader = loader;
    }

    /** Returns that of this thread, to be called by the method that takes the code. */
    public static CallerLoader ofThisThread() {
        return new CallerLoader(Thread.currentThread().getContextClassLoader());
    }

    /** Runs code with this loader; afterwards the thread has its own again. */
    public void run(Runnable code) {
        Boolean unused = call(() -> {
            code.run();
            return true;
        });
    }

    /** Runs code that has a result. */
    public <T> T call(Supplier<T> code) {
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return code.get();
        } finally {
            thread.setContextClassLoader(own);
        }
    }

    /** Returns a task that runs with this loader. */
    public Runnable with(Runnable code) {
        return () -> run(code);
    }

    /** Returns an executor that runs each task with this loader. */
    public Executor on(Executor executor) {
        return task -> executor.execute(with(task));
    }
}
