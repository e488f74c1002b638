package org.mongolocks.embedded.internal.work;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.session.Transaction;

/** A write that met the write of another transaction. */
public final class Conflict extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Transaction holder;

    public Conflict(@Nullable Transaction holder) {
        super("write conflict", null, false, false);
        this.holder = holder;
    }

    /** The open transaction that stands in the way; null if the other write is committed already. */
    public @Nullable Transaction holder() {
        return holder;
    }
}
