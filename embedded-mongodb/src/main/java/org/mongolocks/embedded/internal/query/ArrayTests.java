package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;

/** The tests that look at an array as a whole, and the one for existence. */
final class ArrayTests {
    private ArrayTests() {}

    /** {@code $exists: true}. */
    record Exists() implements ValueTest {
        @Override
        public boolean test(@Nullable Object value, MatchDetails details) {
            return !Absence.isMissing(value);
        }

        @Override
        public boolean looksIntoArrays() {
            return false;
        }
    }

    /** {@code $size}. */
    record Size(long size) implements ValueTest {
        @Override
        public boolean test(@Nullable Object value, MatchDetails details) {
            return value instanceof List && ((List<?>) value).size() == size;
        }

        @Override
        public boolean looksIntoArrays() {
            return false;
        }
    }

    /** {@code $elemMatch} with a filter for embedded documents. */
    record ElementMatching(Filter filter) implements ValueTest {
        @Override
        public boolean test(@Nullable Object value, MatchDetails details) {
            return value instanceof List && anyOf((List<?>) value, details);
        }

        private boolean anyOf(List<?> array, MatchDetails details) {
            for (int i = 0; i < array.size(); i++) {
                Object element = array.get(i);
                boolean isObject = element instanceof Document || element instanceof List;
                if (isObject && filter.matches(asDocument(element), new MatchDetails())) {
                    details.found(i);
                    return true;
                }
            }
            return false;
        }

        private static Document asDocument(Object element) {
            if (element instanceof Document document) {
                return document;
            }
            Document byIndex = new Document();
            for (Object inner : (List<?>) element) {
                byIndex.put(Integer.toString(byIndex.size()), inner);
            }
            return byIndex;
        }

        @Override
        public boolean looksIntoArrays() {
            return false;
        }
    }

    /** {@code $elemMatch} with operators for plain elements. */
    record ElementMeeting(Condition condition) implements ValueTest {
        @Override
        public boolean test(@Nullable Object value, MatchDetails details) {
            if (!(value instanceof List)) {
                return false;
            }
            List<?> array = (List<?>) value;
            for (int i = 0; i < array.size(); i++) {
                if (condition.onValue(array.get(i))) {
                    details.found(i);
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean looksIntoArrays() {
            return false;
        }
    }
}
