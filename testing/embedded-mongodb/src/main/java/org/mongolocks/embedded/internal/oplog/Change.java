package org.mongolocks.embedded.internal.oplog;

import de.bwaldvogel.mongo.bson.Document;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.update.Update.Applied;

/** One change of the data. */
public sealed interface Change {
    /** Where it happened. */
    Namespace namespace();

    /** A document that was inserted. */
    record Inserted(Namespace namespace, UUID collection, Document document) implements Change {}

    /**
     * A document that was changed.
     *
     * @param fields the fields that changed, or null if the document was replaced
     */
    record Updated(
            Namespace namespace, UUID collection, Document before, Document after, Applied.@Nullable Fields fields)
            implements Change {}

    /** A document that was deleted. */
    record Deleted(Namespace namespace, UUID collection, Document document) implements Change {}

    /** A collection that was dropped. */
    record Dropped(Namespace namespace) implements Change {}

    /** A collection that got another name. */
    record Renamed(Namespace namespace, Namespace target) implements Change {}

    /** A change that streams do not show: a collection or an index that was made, a note. */
    record Other(Namespace namespace) implements Change {}
}
