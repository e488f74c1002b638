package org.mongolocks.embedded.internal.cursor;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results of a query, one after the other. */
public interface DocumentSource {
    /** The next document, or null at the end. */
    @Nullable
    Document next();

    /**
     * Whether the end is known to be reached. A scan knows that only when it has looked for one more document and found none, and so a
     * batch that is full may leave a cursor behind that has nothing more to give.
     */
    boolean isAtEnd();

    /** Results that are all there already. */
    final class Listed implements DocumentSource {
        private final List<Document> documents;
        private int position;

        public Listed(List<Document> documents) {
            this.documents = documents;
        }

        @Override
        public @Nullable Document next() {
            return isAtEnd() ? null : documents.get(position++);
        }

        @Override
        public boolean isAtEnd() {
            return position == documents.size();
        }
    }

    /** Results that do not end where they end now: more may come. */
    interface Tailing extends DocumentSource {
        /** Where a reader that has read all of this would go on, as the reply names it. */
        Document position();

        /** Whether something may have come since the last document was looked for. */
        boolean hasNews();
    }
}
