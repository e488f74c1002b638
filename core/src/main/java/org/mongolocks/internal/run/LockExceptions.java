package org.mongolocks.internal.run;

import static java.util.stream.Collectors.joining;

import java.util.List;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockException;
import org.mongolocks.LockFormatException;
import org.mongolocks.LockName;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.Reply;

/** The factory of the exceptions that the clients throw. */
public final class LockExceptions {
    private static final int MAX_NAMED = 3;

    private LockExceptions() {}

    /**
     * Creates the exception for a program that ended with a fault.
     *
     * @param task the failed operation
     * @param failure the fault
     * @return the exception
     */
    public static LockException of(String task, Reply.Failed failure) {
        if (failure.cause() instanceof ForeignFormatException foreign) {
            return new LockFormatException(task, foreign);
        }
        String message =
                task + " failed (" + failure.fault() + "): " + failure.cause().getMessage();
        return failure.fault() == Fault.UNSUPPORTED
                ? new UnsupportedServerException(message, failure.cause())
                : new LockException(message, failure.cause());
    }

    /**
     * Returns the description of an operation on several locks, for messages.
     *
     * @param verb for example {@code Acquiring}
     * @param names the names of the locks; only the first few are shown
     * @param settings the settings of the client
     * @return a phrase that begins a message
     */
    public static String task(String verb, List<LockName> names, ClientSettings settings) {
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
     * @return a phrase that begins a message
     */
    public static String task(String verb, LockName name, ClientSettings settings) {
        return task(verb + " lock '" + name + "'", settings);
    }

    /**
     * Returns the description of an operation without a lock, for messages.
     *
     * @param what for example {@code Preparing a client}
     * @param settings the settings of the client
     * @return a phrase that begins a message
     */
    public static String task(String what, ClientSettings settings) {
        return what + " with strategy '" + settings.strategy().name() + "' in collection '" + settings.collection()
                + "'";
    }
}
