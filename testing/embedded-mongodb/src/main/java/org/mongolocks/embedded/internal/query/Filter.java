package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.expression.Expression;
import org.mongolocks.embedded.internal.expression.Scope;

/** A parsed query filter. */
public sealed interface Filter {
    /** Tests a document. */
    boolean matches(Document document);

    /** A condition on what a path leads to. */
    record Field(FieldPath path, Condition condition) implements Filter {
        @Override
        public boolean matches(Document document) {
            return condition.onPath(document, path);
        }
    }

    /** All of several; true if there are none. */
    record And(List<Filter> parts) implements Filter {
        @Override
        public boolean matches(Document document) {
            for (Filter part : parts) {
                if (!part.matches(document)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** At least one of several. */
    record Or(List<Filter> parts) implements Filter {
        @Override
        public boolean matches(Document document) {
            for (Filter part : parts) {
                if (part.matches(document)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** None of several. */
    record Nor(Or parts) implements Filter {
        @Override
        public boolean matches(Document document) {
            return !parts.matches(document);
        }
    }

    /** An aggregation expression that must be true. */
    record Expr(Expression expression, Scope scope) implements Filter {
        @Override
        public boolean matches(Document document) {
            return Values.isTrue(Values.toNull(expression.evaluate(scope.on(document))));
        }
    }
}
