package org.mongolocks.reactive;

import java.util.function.Supplier;

/**
 * The errors that Reactor rethrows and signals to nobody when a callback throws them: its subscriber would wait for ever.
 * They are replaced by an exception, which Reactor signals.
 */
final class FatalErrors {
    private FatalErrors() {}

    static <T> T call(Supplier<T> callback) {
        try {
            return callback.get();
        } catch (VirtualMachineError | LinkageError e) {
            throw new IllegalStateException("A callback failed with " + e, e);
        }
    }

    static void run(Runnable callback) {
        Boolean unused = call(() -> {
            callback.run();
            return true;
        });
    }
}
