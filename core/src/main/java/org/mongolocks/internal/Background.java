package org.mongolocks.internal;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.LockName;
import org.mongolocks.spi.Step;

/** Runs programs while the caller goes on; each client has one. Thread-safe. */
@FunctionalInterface
public interface Background {
    /**
     * Runs a program in a session of its own.
     *
     * @param verb what it does, for messages
     * @param name the lock, or the first of several
     * @param program gives the program, just before its first operation is sent
     * @param <R> what the program results in
     * @return completes with the result, or with what the program failed with, also if it could not be begun. Cancelling
     *     it stops the program soon.
     */
    <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program);
}
