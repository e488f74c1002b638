package org.mongolocks.internal.run;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.LockName;
import org.mongolocks.spi.Step;

/** A runner of programs that does not block the caller; each client has one. Thread-safe. */
@FunctionalInterface
public interface BackgroundRunner {
    /**
     * Runs a program in a session of its own.
     *
     * @param verb the operation, for messages
     * @param name the lock, or the first of several
     * @param program supplies the program, just before its first operation is sent
     * @param <R> the result of the program
     * @return completes with the result, or with the exception of the program, also if it could not be started.
     *     Cancelling it stops the program soon.
     */
    <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program);
}
