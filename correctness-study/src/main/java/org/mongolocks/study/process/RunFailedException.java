package org.mongolocks.study.process;

/** Says that a run shows nothing, because the study itself broke down in it. */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RunFailedException(String message) {
        super(message);
    }

    RunFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
