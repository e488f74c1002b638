package org.mongolocks.embedded.internal.write;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.pipeline.SortOrder;
import org.mongolocks.embedded.internal.plan.Matches;
import org.mongolocks.embedded.internal.plan.Planner;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.storage.CollectionState;

/** Finds the match that a statement on one document means. */
final class FirstMatch {
    private FirstMatch() {}

    static Matches.@Nullable Match of(
            CollectionState collection, Filter filter, @Nullable Object hint, SortOrder order) {
        Matches matches = new Matches(() -> collection, Planner.plan(collection, filter, hint), filter);
        Matches.Match first = matches.next();
        if (order.isEmpty()) {
            return first;
        }
        for (Matches.Match match = first; match != null; match = matches.next()) {
            boolean isBefore = first != null
                    && order.compare(match.record().document(), first.record().document()) < 0;
            first = isBefore ? match : first;
        }
        return first;
    }
}
