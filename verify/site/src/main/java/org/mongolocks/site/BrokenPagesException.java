package org.mongolocks.site;

import java.util.List;

/** Pages that cannot be shown as they are. The message has a line for each problem. */
final class BrokenPagesException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Takes the problems, each with its file. */
    BrokenPagesException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
