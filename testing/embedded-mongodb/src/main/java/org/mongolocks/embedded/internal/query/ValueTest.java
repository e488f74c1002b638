package org.mongolocks.embedded.internal.query;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
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

    /** {@code $regex} over strings. */
    record RegexTest(Pattern pattern) implements ValueTest {
        private static final int INVALID_PATTERN = 51091;

        static RegexTest of(@Nullable Object pattern) {
            if (!(pattern instanceof String text)) {
                throw CommandError.badValue("$regex has to be a string");
            }
            try {
                return new RegexTest(Pattern.compile(text));
            } catch (PatternSyntaxException e) {
                throw new CommandError(INVALID_PATTERN, "Regular expression is invalid: " + e.getDescription());
            }
        }

        @Override
        public boolean test(@Nullable Object value) {
            return value instanceof String text && pattern.matcher(text).find();
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

    /**
     * {@code $in}: equal to one of several values.
     *
     * @param values the values in their order, without repetitions
     */
    record OneOf(TreeSet<@Nullable Object> values) implements ValueTest {
        static OneOf of(Collection<?> candidates) {
            TreeSet<@Nullable Object> values = new TreeSet<>(ValueOrder.COMPARATOR);
            values.addAll(candidates);
            return new OneOf(values);
        }

        @Override
        public boolean test(@Nullable Object value) {
            return values.contains(Values.toNull(value));
        }
    }
}
