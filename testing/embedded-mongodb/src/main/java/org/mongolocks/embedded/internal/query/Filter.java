package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.expression.Expression;
import org.mongolocks.embedded.internal.expression.Scope;

/** A parsed query filter. */
public sealed interface Filter {
    /**
     * Tests a document.
     *
     * @param details remembers which array element matched, for the positional operator
     */
    boolean matches(Document document, MatchDetails details);

    default boolean matches(Document document) {
        return matches(document, new MatchDetails());
    }

    /** A condition on what a path leads to. */
    record Field(FieldPath path, Condition condition) implements Filter {
        @Override
        public boolean matches(Document document, MatchDetails details) {
            return condition.onPath(document, path, details);
        }
    }

    /** All of several; true if there are none. */
    record And(List<Filter> parts) implements Filter {
        @Override
        public boolean matches(Document document, MatchDetails details) {
            for (Filter part : parts) {
                if (!part.matches(document, details)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** At least one of several. */
    record Or(List<Filter> parts) implements Filter {
        @Override
        public boolean matches(Document document, MatchDetails details) {
            for (Filter part : parts) {
                if (part.matches(document, details)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** None of several. */
    record Nor(Or parts) implements Filter {
        @Override
        public boolean matches(Document document, MatchDetails details) {
            return !parts.matches(document, new MatchDetails());
        }
    }

    /** An aggregation expression that must be true. */
    record Expr(Expression expression, Scope scope) implements Filter {
        @Override
        public boolean matches(Document document, MatchDetails details) {
            return Values.isTrue(Values.toNull(expression.evaluate(scope.on(document))));
        }
    }

    /** A fixed answer. */
    record Constant(boolean answer) implements Filter {
        @Override
        public boolean matches(Document document, MatchDetails details) {
            return answer;
        }
    }

    /** Which element of an array made a filter match, for the positional operator {@code $}. */
    final class MatchDetails {
        private int index = -1;

        void found(int arrayIndex) {
            index = arrayIndex;
        }

        /** The index, or null if no array was involved. */
        public @Nullable Integer arrayIndex() {
            return index < 0 ? null : index;
        }
    }
}
