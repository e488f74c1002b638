package org.mongolocks.strategy.optimisticversion;

import java.util.Optional;
import org.bson.BsonInt64;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.LeasePrograms;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.UpdateSpec;

/** The mode that judges a lease by the server's time in the same reply. */
record ServerClockExpiry(String strategy, LeaseDocument document, LeasePrograms programs) implements ExpiryPolicy {

    @Override
    public Step<Optional<LockSnapshot>> look(AcquireContext context) {
        return programs.read("look", context.name());
    }

    @Override
    public UpdateSpec taken(AcquireContext context, long token) {
        return document.set(document.grantFields(context, new BsonInt64(token)));
    }

    @Override
    public UpdateSpec kept(AcquireContext context) {
        return document.set(document.renewalFields(context.ttl()));
    }
}
