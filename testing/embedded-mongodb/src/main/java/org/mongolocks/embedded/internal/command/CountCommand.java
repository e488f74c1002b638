package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.plan.Matches;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/** count, which knows no {@code $$NOW} in MongoDB 4.4. */
final class CountCommand {
    private static final Set<String> KNOWN = Set.of("query", "limit", "skip", "hint", "collation", "fields");

    private CountCommand() {}

    static Document run(Call call) {
        Fields fields = Fields.ofCommand(call.command(), KNOWN);
        long skip = fields.count("skip", 0);
        // A negative limit means the same as a positive one.
        long limit = Math.abs(fields.number("limit", 0));
        long count = matching(call, fields).size();
        long left = Math.max(0, count - skip);
        return new Document("n", (int) (limit == 0 ? left : Math.min(left, limit)));
    }

    private static List<Document> matching(Call call, Fields fields) {
        fields.refuseCollation();
        Object query = fields.get("query");
        Filter filter = FilterParser.parse(query == null ? new Document() : fields.document("query"), Scope.timeless());
        CollectionState collection = CollectionAccess.forRead(call, call.namespace());
        return Matches.documents(collection, filter, fields.hint());
    }
}
