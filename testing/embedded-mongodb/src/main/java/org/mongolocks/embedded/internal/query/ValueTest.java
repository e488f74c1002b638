package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;

/** A test of one value; a missing field is a value too. */
public interface ValueTest {
    boolean test(@Nullable Object value);

    /** Whether an array at the end of the path also stands for each of its elements. */
    default boolean appliesToArrayElements() {
        return true;
    }

    /** A regular expression over strings; a stored regular expression matches if it is the same one. */
    record RegexTest(BsonRegularExpression regex) implements ValueTest {
        private static final int INVALID_PATTERN = 51091;
        private static final int INVALID_FLAG = 51108;

        static RegexTest of(BsonRegularExpression regex) {
            try {
                String options = regex.getOptions() == null ? "" : regex.getOptions();
                BsonRegularExpression checked = new BsonRegularExpression(regex.getPattern(), options);
                checked.matcher("");
                return new RegexTest(checked);
            } catch (PatternSyntaxException e) {
                throw new CommandError(INVALID_PATTERN, "Regular expression is invalid: " + e.getDescription());
            } catch (IllegalArgumentException e) {
                throw new CommandError(INVALID_FLAG, "invalid flag in regex options: " + regex.getOptions());
            }
        }

        @Override
        public boolean test(@Nullable Object value) {
            if (value instanceof String string) {
                return regex.matcher(string).find();
            }
            return value instanceof BsonRegularExpression && ValueOrder.same(value, regex);
        }
    }

    /** {@code $exists: true}. */
    record Exists() implements ValueTest {
        @Override
        public boolean test(@Nullable Object value) {
            return !Values.isMissing(value);
        }

        @Override
        public boolean appliesToArrayElements() {
            return false;
        }
    }

    /** {@code $size}. */
    record Size(long size) implements ValueTest {
        @Override
        public boolean test(@Nullable Object value) {
            return value instanceof List && ((List<?>) value).size() == size;
        }

        @Override
        public boolean appliesToArrayElements() {
            return false;
        }
    }

    /** {@code $elemMatch} with a filter for embedded documents. */
    record ElementMatching(Filter filter) implements ValueTest {
        @Override
        public boolean test(@Nullable Object value) {
            return value instanceof List && anyOf((List<?>) value);
        }

        private boolean anyOf(List<?> array) {
            for (int i = 0; i < array.size(); i++) {
                Object element = array.get(i);
                boolean isObject = element instanceof Document || element instanceof List;
                if (isObject && filter.matches(asDocument(element))) {
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
        public boolean appliesToArrayElements() {
            return false;
        }
    }

    /** {@code $elemMatch} with operators for plain elements. */
    record ElementMeeting(Condition condition) implements ValueTest {
        @Override
        public boolean test(@Nullable Object value) {
            if (!(value instanceof List)) {
                return false;
            }
            List<?> array = (List<?>) value;
            for (int i = 0; i < array.size(); i++) {
                if (condition.onValue(array.get(i))) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean appliesToArrayElements() {
            return false;
        }
    }
}
