package org.mongolocks.strategy.optimisticversion;

import java.util.Optional;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.UpdateSpec;

/** The way to judge the end of a lease: by the server's clock, or by observation. */
interface ExpiryPolicy {
    /** The field that every change increments; otherwise an acquisition could overwrite a renewal. */
    String VERSION = "version";

    /** The name of the strategy, for labels. */
    String strategy();

    /** The lock document. */
    LeaseDocument document();

    /** Reads the lock. The result has a remaining time of zero if its holder's lease has ended. */
    Step<Optional<LockSnapshot>> look(AcquireContext context);

    /** Returns the update that grants the lock to an owner, with a token that is a number. */
    UpdateSpec taken(AcquireContext context, long token);

    /** Returns the update that extends the lease of the owner that holds the lock already. */
    UpdateSpec kept(AcquireContext context);
}
