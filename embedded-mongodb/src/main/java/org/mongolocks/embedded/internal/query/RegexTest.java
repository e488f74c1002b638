package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.error.CommandError;

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
    public boolean test(@Nullable Object value, MatchDetails details) {
        if (value instanceof String string) {
            return regex.matcher(string).find();
        }
        return value instanceof BsonRegularExpression && ValueOrder.same(value, regex);
    }
}
