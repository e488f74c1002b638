package org.mongolocks.embedded.internal.projection;

import de.bwaldvogel.mongo.bson.Document;
import org.mongolocks.embedded.internal.expression.Scope;

/** A parsed projection. */
public final class Projection {
    private final ProjectionNode root;

    Projection(ProjectionNode root) {
        this.root = root;
    }

    /** The projected document; expressions see the document of the scope. */
    public Document apply(Document document, Scope scope) {
        return root.apply(document, scope.on(document));
    }
}
