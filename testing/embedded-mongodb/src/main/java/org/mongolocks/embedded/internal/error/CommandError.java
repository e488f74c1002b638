package org.mongolocks.embedded.internal.error;

import de.bwaldvogel.mongo.bson.Document;

/** A command, or one of its statements, that failed as MongoDB says it does: a code and a message. */
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

    /** A value that is not allowed (2). */
    public static CommandError badValue(String message) {
        return new CommandError(ErrorCode.BAD_VALUE, message);
    }

    /** A command or an operator that is not well-formed (9). */
    public static CommandError failedToParse(String message) {
        return new CommandError(ErrorCode.FAILED_TO_PARSE, message);
    }

    /** A value of a wrong type (14). */
    public static CommandError typeMismatch(String message) {
        return new CommandError(ErrorCode.TYPE_MISMATCH, message);
    }

    /** A command that is not allowed here (20). */
    public static CommandError illegalOperation(String message) {
        return new CommandError(ErrorCode.ILLEGAL_OPERATION, message);
    }

    /** Options that are not allowed, or not together (72). */
    public static CommandError invalidOptions(String message) {
        return new CommandError(ErrorCode.INVALID_OPTIONS, message);
    }

    /** A feature of MongoDB that this server does not have (238). */
    public static CommandError unsupported(String what) {
        return new CommandError(ErrorCode.NOT_IMPLEMENTED, what + " is not supported by the embedded server");
    }

    /** The same error with more context before its message, as MongoDB's "caused by" does. */
    public CommandError within(String context) {
        return new CommandError(code, context + " :: caused by :: " + getMessage(), details);
    }

    public int code() {
        return code;
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
