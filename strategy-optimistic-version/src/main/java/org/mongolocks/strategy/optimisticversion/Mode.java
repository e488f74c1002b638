package org.mongolocks.strategy.optimisticversion;

import java.util.Optional;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Change;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.Step;

/** What differs between judging a lease by the server's clock and judging it by watching. */
interface Mode {
    /** The field that every change counts up, or a taker could overwrite a renewal. */
    String VERSION = "version";

    /** The name of the strategy, for labels. */
    String strategy();

    /** The lock document. */
    LeaseDocument document();

    /** Looks at the lock. What is found has a remaining time of zero if its holder's lease has ended. */
    Step<Optional<LockSnapshot>> look(AcquireContext context);

    /** Returns the lock to an owner, with a token that is a number. */
    Change taken(AcquireContext context, long token);

    /** Extends the lease of the owner who has the lock already. */
    Change kept(AcquireContext context);
}
