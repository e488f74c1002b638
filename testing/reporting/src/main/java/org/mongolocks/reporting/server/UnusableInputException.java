package org.mongolocks.reporting.server;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A one-line error about the arguments or the server that they name. */
public final class UnusableInputException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    public UnusableInputException(String message) {
        this(message, null);
    }

    public UnusableInputException(String message, @Nullable Throwable cause) {
        super(message.lines().findFirst().orElse(""), cause);
    }
}
