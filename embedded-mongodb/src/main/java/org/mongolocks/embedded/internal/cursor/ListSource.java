package org.mongolocks.embedded.internal.cursor;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results that are all there already. */
public final class ListSource implements DocumentSource {
    private final List<Document> documents;
    private int position;

    public ListSource(List<Document> documents) {
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
