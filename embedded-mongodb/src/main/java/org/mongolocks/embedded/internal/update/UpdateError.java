package org.mongolocks.embedded.internal.update;

import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** The errors that updates answer with most often. */
final class UpdateError {
    private UpdateError() {}

    static CommandError badValue(String message) {
        return new CommandError(ErrorCode.BAD_VALUE, message);
    }

    static CommandError unparsed(String message) {
        return new CommandError(ErrorCode.FAILED_TO_PARSE, message);
    }

    static CommandError wrongType(String message) {
        return new CommandError(ErrorCode.TYPE_MISMATCH, message);
    }

    static CommandError conflict(String path, String at) {
        return new CommandError(
                ErrorCode.CONFLICTING_UPDATE_OPERATORS,
                "Updating the path '" + path + "' would create a conflict at '" + at + "'");
    }
}
