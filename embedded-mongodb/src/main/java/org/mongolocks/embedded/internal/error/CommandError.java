package org.mongolocks.embedded.internal.error;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;

/** A command, or one of its statements, that failed as MongoDB says it does: a code, its name and a message. */
public final class CommandError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient Document details;

    /**
     * @param code the error code of MongoDB
     * @param message what went wrong
     */
    public CommandError(int code, String message) {
        this(code, message, new Document());
    }

    /**
     * @param code the error code of MongoDB
     * @param message what went wrong
     * @param details fields that the reply carries beside the code, such as {@code keyPattern}
     */
    public CommandError(int code, String message, Document details) {
        // An answer to a client, not a fault of this program: no stack trace is worth its cost.
        super(message, null, false, false);
        this.code = code;
        this.details = details;
    }

    /** Takes over what a function of mongo-java-server complained about. */
    public static CommandError from(MongoServerError error) {
        return new CommandError(error.getCode(), error.getMessageWithoutErrorCode());
    }

    /** The same error with more context before its message, as MongoDB's "caused by" does. */
    public CommandError within(String context) {
        return new CommandError(code, context + " :: caused by :: " + getMessage(), details);
    }

    public int code() {
        return code;
    }

    public String codeName() {
        return ErrorCode.nameOf(code);
    }

    public Document details() {
        return details;
    }

    @Override
    public String getMessage() {
        String message = super.getMessage();
        return message == null ? "" : message;
    }
}
