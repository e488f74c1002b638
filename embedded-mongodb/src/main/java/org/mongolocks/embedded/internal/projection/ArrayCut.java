package org.mongolocks.embedded.internal.projection;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.WholeNumber;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.query.Filter;

/** What a find projection leaves of an array. */
sealed interface ArrayCut {
    /**
     * Cuts the value of a field.
     *
     * @param matched the element that the query matched
     * @return what is left, or missing
     */
    @Nullable
    Object apply(@Nullable Object value, @Nullable Integer matched);

    /** {@code $slice}: so many elements from a position on; a negative position counts from the end. */
    record Slice(@Nullable Integer skip, int limit) implements ArrayCut {
        static Slice parse(@Nullable Object argument) {
            if (argument instanceof Number number) {
                return new Slice(null, WholeNumber.intOf(number));
            }
            if (!(argument instanceof List<?> pair) || pair.size() != 2) {
                throw new CommandError(
                        28667, "Invalid $slice syntax. The given syntax did not match the find() syntax");
            }
            if (!(pair.get(0) instanceof Number skip) || !(pair.get(1) instanceof Number limit)) {
                throw new CommandError(31272, "$slice array arguments must be numbers");
            }
            if (WholeNumber.intOf(limit) <= 0) {
                throw new CommandError(31273, "$slice limit must be positive");
            }
            return new Slice(WholeNumber.intOf(skip), WholeNumber.intOf(limit));
        }

        @Override
        public @Nullable Object apply(@Nullable Object value, @Nullable Integer matched) {
            if (!(value instanceof List<?> array)) {
                return value;
            }
            int size = array.size();
            if (skip == null) {
                return limit < 0
                        ? array.subList(Math.max(0, size + limit), size)
                        : array.subList(0, Math.min(limit, size));
            }
            int from = skip < 0 ? Math.max(0, size + skip) : Math.min(skip, size);
            return array.subList(from, (int) Math.min((long) from + limit, size));
        }
    }

    /** {@code $elemMatch}: the first element that matches. */
    record FirstMatching(String path, Filter filter) implements ArrayCut {
        @Override
        public @Nullable Object apply(@Nullable Object value, @Nullable Integer matched) {
            if (value instanceof List<?> array) {
                for (Object element : array) {
                    if (filter.matches(new Document(path, Collections.singletonList(element)))) {
                        return Collections.singletonList(element);
                    }
                }
            }
            return Absence.MISSING;
        }
    }

    /** {@code "a.$"}: the element that the query matched. */
    record Matched() implements ArrayCut {
        @Override
        public @Nullable Object apply(@Nullable Object value, @Nullable Integer matched) {
            if (!(value instanceof List<?> array)) {
                return value;
            }
            if (matched == null || matched >= array.size()) {
                throw new CommandError(
                        51246,
                        "Executor error during find command :: caused by :: positional operator '.$' couldn't find a"
                                + " matching element in the array");
            }
            return Collections.singletonList(array.get(matched));
        }
    }
}
