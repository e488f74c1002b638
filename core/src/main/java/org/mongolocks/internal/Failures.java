package org.mongolocks.internal;

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

/** Creates the exceptions that the clients throw. */
public final class Failures {
    private static final int MOST_NAMED = 3;

    private Failures() {}

    /**
     * Makes the exception for a program that ended with a fault.
     *
     * @param task what was to be done
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
     * Says what a client is doing with several locks, for messages.
     *
     * @param verb for example {@code Acquiring}
     * @param names what is locked; no more than a few are named
     * @param settings the settings of the client
     * @return a phrase that begins a message
     */
    public static String task(String verb, List<LockName> names, ClientSettings settings) {
        String first =
                names.stream().limit(MOST_NAMED).map(name -> "'" + name + "'").collect(joining(", "));
        String more = names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "";
        return task(verb + " locks " + first + more, settings);
    }

    /**
     * Says what a client is doing, for messages.
     *
     * @param verb for example {@code Acquiring}
     * @param name what is locked
     * @param settings the settings of the client
     * @return a phrase that begins a message
     */
    public static String task(String verb, LockName name, ClientSettings settings) {
        return task(verb + " lock '" + name + "'", settings);
    }

    /**
     * Says what a client is doing, for messages.
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
