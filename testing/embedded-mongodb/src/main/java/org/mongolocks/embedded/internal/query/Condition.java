package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;

/** A condition of a filter on the values at a path. */
public sealed interface Condition {
    /** Tests what a path leads to in a document, through arrays. */
    boolean onPath(Document document, FieldPath path);

    /** Tests one value as it is, as {@code $elemMatch} does with elements. */
    boolean onValue(@Nullable Object value);

    /** A test of single values: one of those at the path must pass. */
    record Single(ValueTest test) implements Condition {
        @Override
        public boolean onPath(Document document, FieldPath path) {
            return new PathWalk(path, test).from(document);
        }

        @Override
        public boolean onValue(@Nullable Object value) {
            return test.test(value);
        }
    }

    /** Conditions that must all hold, each perhaps through another value. */
    record All(List<Condition> parts) implements Condition {
        @Override
        public boolean onPath(Document document, FieldPath path) {
            for (Condition part : parts) {
                if (!part.onPath(document, path)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public boolean onValue(@Nullable Object value) {
            for (Condition part : parts) {
                if (!part.onValue(value)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The opposite of a condition: no value at the path may meet it. */
    record Not(Condition part) implements Condition {
        @Override
        public boolean onPath(Document document, FieldPath path) {
            return !part.onPath(document, path);
        }

        @Override
        public boolean onValue(@Nullable Object value) {
            return !part.onValue(value);
        }
    }
}
