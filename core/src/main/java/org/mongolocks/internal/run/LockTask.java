package org.mongolocks.internal.run;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockException;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.LockName;
import org.mongolocks.LockStorageException;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

/**
 * An operation of a client, as exceptions and logs describe it. It creates the exception when the operation fails. Most
 * operations succeed, so the description is built only when it is read. Immutable.
 */
public final class LockTask {
    private static final int MAX_NAMED = 3;
    /** The server's code for a missing right. */
    private static final int UNAUTHORIZED = 13;
    /** Faults that time alone does not mend. */
    private static final Set<Fault> LASTING = Set.of(Fault.REJECTED, Fault.UNSUPPORTED, Fault.FOREIGN_FORMAT);

    private final Supplier<String> description;
    private final Optional<LockName> lock;
    private final Optional<ClientSettings> settings;

    private LockTask(Supplier<String> description, Optional<LockName> lock, Optional<ClientSettings> settings) {
        this.description = description;
        this.lock = lock;
        this.settings = settings;
    }

    /** Returns an operation on one lock; the verb is for example {@code Acquiring}. */
    public static LockTask of(String verb, LockName name, ClientSettings settings) {
        return new LockTask(
                () -> verb + " lock '" + name + "'" + place(settings), Optional.of(name), Optional.of(settings));
    }

    /** Returns an operation on several locks, of which only the first few are shown. */
    public static LockTask of(String verb, List<LockName> names, ClientSettings settings) {
        return of(() -> verb + " locks " + firstOf(names), Optional.empty(), settings);
    }

    /** Returns an operation of a client that concerns no single lock, for example {@code Preparing a client}. */
    public static LockTask of(String what, ClientSettings settings) {
        return of(() -> what, Optional.empty(), settings);
    }

    /** Returns an operation that uses no lock. */
    public static LockTask withoutLock(String what) {
        return new LockTask(() -> what, Optional.empty(), Optional.empty());
    }

    private static LockTask of(Supplier<String> what, Optional<LockName> lock, ClientSettings settings) {
        return new LockTask(() -> what.get() + place(settings), lock, Optional.of(settings));
    }

    private static String place(ClientSettings settings) {
        return " with strategy '" + settings.strategy().name() + "' in collection '" + settings.collection() + "'";
    }

    private static String firstOf(List<LockName> names) {
        String first =
                names.stream().limit(MAX_NAMED).map(name -> "'" + name + "'").collect(joining(", "));
        return names.size() > MAX_NAMED ? first + " and " + (names.size() - MAX_NAMED) + " more" : first;
    }

    /** Returns the same operation with a longer description. */
    public LockTask and(String more) {
        return new LockTask(() -> description.get() + more, lock, settings);
    }

    /** Returns the lock that it concerns; empty for none, or several. */
    public Optional<LockName> lock() {
        return lock;
    }

    /** Returns a phrase that begins a message. */
    public String description() {
        return description.get();
    }

    /** Returns the description. */
    @Override
    public String toString() {
        return description();
    }

    /** Creates the exception for an interrupt of the thread that runs this operation. */
    public LockInterruptedException interrupted(@Nullable Throwable cause) {
        return new LockInterruptedException(description(), lock, cause);
    }

    /** Creates the exception for the fault with which the program of this operation ended. */
    public LockException exception(Reply.Failed failure) {
        if (failure.cause() instanceof ClientRuns.DriverClosedException closed) {
            return new ClientClosedException(description(), lock, closed.getCause());
        }
        if (failure.cause() instanceof ForeignFormatException foreign) {
            return foreignFormat(foreign);
        }
        if (settings.isPresent() && failure.cause().getCode() == UNAUTHORIZED) {
            return new LockException(this + needsRights(settings.get()), failure.cause(), lock, false);
        }
        String error = failure.cause().getMessage()
                + FaultClassifier.advice(failure.cause())
                        .map(text -> ": " + text)
                        .orElse("");
        String message = this + " failed (" + failure.fault() + "): " + error;
        return failure.fault() == Fault.UNSUPPORTED
                ? new LockStorageException(message, List.of(error), lock, failure.cause())
                : new LockException(message, failure.cause(), lock, !LASTING.contains(failure.fault()));
    }

    /**
     * Creates the exception for a server, or what it stores, that does not suit the strategy.
     *
     * @param faults a sentence each, without the full stop
     * @param advice what to do, in whole sentences
     */
    public LockStorageException refused(List<String> faults, String advice, @Nullable Throwable cause) {
        String message = this + " was refused: " + String.join("; ", faults) + ". " + advice;
        return new LockStorageException(message, faults, lock, cause);
    }

    private LockStorageException foreignFormat(ForeignFormatException foreign) {
        String collection = settings.map(
                        client -> client.strategy().schema().resolve(foreign.collection(), client.collection()))
                .orElse(foreign.collection());
        String found = foreign.found().map(mark -> "of format '" + mark + "'").orElse("without a format mark");
        String fault = "the document with _id " + foreign.id() + " in collection '" + collection + "' is " + found
                + ", and this strategy reads only '" + foreign.own() + "'";
        String strategy = foreign.own().replaceFirst("/.*", "/");
        String remedy =
                foreign.found().filter(mark -> mark.startsWith(strategy)).isPresent()
                        ? "Another version of this library wrote it. Stop all clients of the collection, convert or drop it (see"
                                + " 'Change of format' in docs/operations.md), and use the same version in all of them."
                        : "Give each strategy a collection of its own.";
        return refused(List.of(fault), "It was not changed. " + remedy, foreign);
    }

    /** The server's own text repeats the whole command; it stays in the cause. */
    private static String needsRights(ClientSettings settings) {
        LockSchema schema = settings.strategy().schema();
        String collections = schema.collections().stream()
                .map(LockSchema.LockCollection::name)
                .map(collection -> schema.resolve(collection, settings.collection()))
                .map(name -> "'" + name + "'")
                .collect(joining(", "));
        return " was refused: the database user lacks a right. A lock client needs find, insert, update and remove on "
                + collections + "; see Rights in docs/operations.md for the least of each strategy.";
    }
}
