package org.mongolocks.doctor.check;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The interpretation of errors of commands that the server does not execute. */
final class Errors {
    private static final Set<Integer> NOT_ALLOWED = Set.of(13, 8000);
    private static final int USER_WRITES_BLOCKED = 371;
    /** CommandNotFound, NotImplemented, CommandNotSupported. */
    private static final Set<Integer> UNKNOWN_COMMAND = Set.of(59, 115, 238);

    private Errors() {}

    static boolean isNotAllowed(MongoException e) {
        return NOT_ALLOWED.contains(e.getCode());
    }

    /** Returns why a check was not possible, or null if the error is a result of the check. */
    static @Nullable String refusal(MongoException e) {
        if (isNotAllowed(e)) {
            return "the user lacks the right to read it";
        }
        return isUnknownCommand(e) ? "the server does not know the command" : null;
    }

    static boolean isUnknownCommand(MongoException e) {
        return UNKNOWN_COMMAND.contains(e.getCode());
    }

    /** Returns why the check could not write to a scratch collection, or null if the error is a result of the check. */
    static @Nullable String refusedWrite(MongoException e) {
        if (isNotAllowed(e)) {
            return "the user is not allowed to write to a scratch collection";
        }
        return e.getCode() == USER_WRITES_BLOCKED ? "the server blocks writes" : null;
    }

    /** Returns the message of an error in one line, without the driver's details of the connection. */
    static String text(Exception e) {
        String text = e instanceof MongoCommandException command
                ? command.getErrorMessage() + " (code " + command.getErrorCode() + ")"
                : String.valueOf(e.getMessage());
        return text.replaceAll("\\p{Cntrl}+", " ");
    }
}
