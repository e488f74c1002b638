package org.mongolocks.embedded.internal.cursor;

import de.bwaldvogel.mongo.bson.Document;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.plan.Matches;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;

/** The matches of a find that needs no sorting, read while they are asked for. */
public final class FindSource implements DocumentSource {
    private final Matches matches;
    private final UnaryOperator<Document> projection;
    private long toSkip;
    private long toReturn;
    private boolean isAtEnd;

    /**
     * The results of a find.
     *
     * @param limit how many at most; zero for all
     */
    public FindSource(Matches matches, UnaryOperator<Document> projection, long skip, long limit) {
        this.matches = matches;
        this.projection = projection;
        this.toSkip = skip;
        this.toReturn = limit == 0 ? Long.MAX_VALUE : limit;
    }

    @Override
    public @Nullable Document next() {
        for (StoredRecord match = nextMatch(); match != null; match = nextMatch()) {
            if (toSkip == 0) {
                toReturn--;
                return projection.apply(match.document());
            }
            toSkip--;
        }
        return null;
    }

    private @Nullable StoredRecord nextMatch() {
        StoredRecord match = isAtEnd() ? null : matches.next();
        isAtEnd |= match == null;
        return match;
    }

    @Override
    public boolean isAtEnd() {
        return isAtEnd || toReturn == 0;
    }
}
