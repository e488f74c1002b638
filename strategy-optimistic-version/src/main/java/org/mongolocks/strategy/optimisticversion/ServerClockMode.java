package org.mongolocks.strategy.optimisticversion;

import java.util.Optional;
import org.bson.BsonInt64;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Change;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.LeasePrograms;
import org.mongolocks.spi.Step;

/** The mode that judges a lease by the server's time in the same reply. */
record ServerClockMode(String strategy, LeaseDocument document, LeasePrograms programs) implements Mode {

    @Override
    public Step<Optional<LockSnapshot>> look(AcquireContext context) {
        return programs.look("look", context.name());
    }

    @Override
    public Change taken(AcquireContext context, long token) {
        return document.setting(document.granted(context, new BsonInt64(token)));
    }

    @Override
    public Change kept(AcquireContext context) {
        return document.setting(document.extended(context.ttl()));
    }
}
