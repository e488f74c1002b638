package org.mongolocks.internal.run;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockException;
import org.mongolocks.LockFormatException;
import org.mongolocks.LockName;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.Reply;

/** The factory of the exceptions that the clients throw. */
public final class LockExceptions {
    private static final int MAX_NAMED = 3;
    /** The server's code for a missing right. */
    private static final int UNAUTHORIZED = 13;
    /** Faults that time alone does not mend. */
    private static final Set<Fault> LASTING = Set.of(Fault.REJECTED, Fault.UNSUPPORTED, Fault.FOREIGN_FORMAT);

    private LockExceptions() {}

    /**
     * Creates the exception for a program that ended with a fault.
     *
     * @param task the failed operation
     * @param failure the fault
     * @return the exception
     */
    public static LockException of(LockTask task, Reply.Failed failure) {
        if (failure.cause() instanceof ForeignFormatException foreign) {
            return new LockFormatException(task.description(), task.lock(), foreign);
        }
        return task.settings()
                .filter(settings -> failure.cause().getCode() == UNAUTHORIZED)
                .map(settings -> new LockException(task + needsRights(settings), failure.cause(), task.lock(), false))
                .orElseGet(() -> of(task.description(), task.lock(), failure));
    }

    /**
     * Creates the exception for a program that ended with a fault and concerns no single lock.
     *
     * @param task the failed operation
     * @param failure the fault
     * @return the exception
     */
    public static LockException of(String task, Reply.Failed failure) {
        return of(task, Optional.empty(), failure);
    }

    private static LockException of(String task, Optional<LockName> lock, Reply.Failed failure) {
        String message =
                task + " failed (" + failure.fault() + "): " + failure.cause().getMessage();
        return failure.fault() == Fault.UNSUPPORTED
                ? new UnsupportedServerException(message, failure.cause())
                : new LockException(message, failure.cause(), lock, !LASTING.contains(failure.fault()));
    }

    /** The server's own text repeats the whole command; it stays in the cause. */
    private static String needsRights(ClientSettings settings) {
        LockSchema schema = settings.strategy().schema();
        String collections = Stream.concat(
                        schema.collections().stream().map(LockSchema.LockCollection::name), Stream.of(LockSchema.QUEUE))
                .map(collection -> schema.resolve(collection, settings.collection()))
                .map(name -> "'" + name + "'")
                .collect(joining(", "));
        return " was refused: the database user lacks a right. A lock client needs find, insert, update and remove on "
                + collections + "; see Rights in docs/operations.md for the least of each strategy.";
    }

    /**
     * Returns the description of an operation on several locks, for messages.
     *
     * @param verb for example {@code Acquiring}
     * @param names the names of the locks; only the first few are shown
     * @param settings the settings of the client
     * @return the task, whose description begins a message
     */
    public static LockTask task(String verb, List<LockName> names, ClientSettings settings) {
        String first =
                names.stream().limit(MAX_NAMED).map(name -> "'" + name + "'").collect(joining(", "));
        String more = names.size() > MAX_NAMED ? " and " + (names.size() - MAX_NAMED) + " more" : "";
        return task(verb + " locks " + first + more, settings);
    }

    /**
     * Returns the description of an operation, for messages.
     *
     * @param verb for example {@code Acquiring}
     * @param name the name of the lock
     * @param settings the settings of the client
     * @return the task, whose description begins a message
     */
    public static LockTask task(String verb, LockName name, ClientSettings settings) {
        return task(verb + " lock '" + name + "'", Optional.of(name), settings);
    }

    /**
     * Returns the description of an operation without a lock, for messages.
     *
     * @param what for example {@code Preparing a client}
     * @param settings the settings of the client
     * @return the task, whose description begins a message
     */
    public static LockTask task(String what, ClientSettings settings) {
        return task(what, Optional.empty(), settings);
    }

    private static LockTask task(String what, Optional<LockName> lock, ClientSettings settings) {
        String client =
                " with strategy '" + settings.strategy().name() + "' in collection '" + settings.collection() + "'";
        return new LockTask(what + client, lock, Optional.of(settings));
    }
}
