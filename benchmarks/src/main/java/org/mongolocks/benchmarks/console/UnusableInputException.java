package org.mongolocks.benchmarks.console;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Says in one line what is wrong with the arguments or with the server that they name. */
public final class UnusableInputException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public UnusableInputException(String message) {
        this(message, null);
    }

    public UnusableInputException(String message, @Nullable Throwable cause) {
        super(message.lines().findFirst().orElse(""), cause);
    }
}
