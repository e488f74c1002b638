package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.error.CommandError;

/** Functions of whole strings. */
final class StringOperators {
    static final Map<String, Operator> ALL = Map.ofEntries(
            Map.entry("$concat", Operator.variadic(StringOperators::concat)),
            Map.entry("$toLower", Operator.fixed(1, arguments -> text(arguments).toLowerCase(Locale.ROOT))),
            Map.entry("$toUpper", Operator.fixed(1, arguments -> text(arguments).toUpperCase(Locale.ROOT))),
            Map.entry("$strcasecmp", Operator.fixed(2, StringOperators::compareIgnoringCase)),
            Map.entry("$strLenCP", Operator.fixed(1, StringOperators::length)),
            Map.entry("$trim", trim(true, true)),
            Map.entry("$ltrim", trim(true, false)),
            Map.entry("$rtrim", trim(false, true)),
            Map.entry("$replaceOne", replace(false)),
            Map.entry("$replaceAll", replace(true)),
            Map.entry("$regexMatch", StringOperators::regexMatch));

    private static final String WHITE_SPACE =
            "\0\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006" + "\u2007\u2008\u2009\u200a";

    private StringOperators() {}

    private static @Nullable Object concat(Arguments arguments) {
        StringBuilder text = new StringBuilder();
        for (Object value : arguments.values()) {
            if (Absence.isNullish(value)) {
                return null;
            }
            if (!(value instanceof String string)) {
                throw new CommandError(16702, "$concat only supports strings, not " + Arguments.type(value));
            }
            text.append(string);
        }
        return text.toString();
    }

    private static String text(Arguments arguments) {
        return StringConversion.coerce(arguments.get(0));
    }

    private static Object compareIgnoringCase(Arguments arguments) {
        String left = StringConversion.coerce(arguments.get(0)).toUpperCase(Locale.ROOT);
        String right = StringConversion.coerce(arguments.get(1)).toUpperCase(Locale.ROOT);
        return Integer.signum(left.compareTo(right));
    }

    private static Object length(Arguments arguments) {
        String text = arguments.string(0, 34471);
        return text.codePointCount(0, text.length());
    }

    private static Operator trim(boolean atStart, boolean atEnd) {
        return (name, value, parser) -> {
            NamedArguments named = NamedArguments.of(name, value, 50696, 50694);
            named.allow(Set.of("input", "chars"));
            Expression input = parser.parse(named.required("input", 50695));
            Expression chars = named.has("chars") ? parser.parse(named.optional("chars")) : null;
            return scope -> {
                Object text = input.evaluate(scope);
                Object set = chars == null ? WHITE_SPACE : chars.evaluate(scope);
                boolean isNull = Absence.isNullish(text) || Absence.isNullish(set);
                return isNull ? null : trimmed(checked(text, 50699), checked(set, 50700), atStart, atEnd);
            };
        };
    }

    private static String trimmed(String text, String set, boolean atStart, boolean atEnd) {
        int start = 0;
        int end = text.length();
        while (atStart && start < end && set.indexOf(text.charAt(start)) >= 0) {
            start++;
        }
        while (atEnd && end > start && set.indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        return text.substring(start, end);
    }

    private static String checked(@Nullable Object value, int code) {
        if (!(value instanceof String string)) {
            throw new CommandError(code, "a string is required, found: " + Arguments.type(value));
        }
        return string;
    }

    private static Operator replace(boolean isAll) {
        return (name, value, parser) -> {
            NamedArguments named = NamedArguments.of(name, value, 51751, 51750);
            named.allow(Set.of("input", "find", "replacement"));
            Expression input = parser.parse(named.required("input", 51749));
            Expression find = parser.parse(named.required("find", 51748));
            Expression replacement = parser.parse(named.required("replacement", 51747));
            return scope -> {
                Object text = input.evaluate(scope);
                Object old = find.evaluate(scope);
                Object fresh = replacement.evaluate(scope);
                boolean isNull = Absence.isNullish(text) || Absence.isNullish(old) || Absence.isNullish(fresh);
                return isNull
                        ? null
                        : replaced(checked(text, 51746), checked(old, 51745), checked(fresh, 51744), isAll);
            };
        };
    }

    private static String replaced(String text, String old, String fresh, boolean isAll) {
        int at = text.indexOf(old);
        if (isAll || at < 0) {
            return text.replace(old, fresh);
        }
        return text.substring(0, at) + fresh + text.substring(at + old.length());
    }

    private static Expression regexMatch(String name, @Nullable Object arguments, ExpressionParser parser) {
        NamedArguments named = NamedArguments.of(name, arguments, 51103, 31024);
        named.allow(Set.of("input", "regex", "options"));
        Expression input = parser.parse(named.required("input", 31022));
        Expression regex = parser.parse(named.required("regex", 31023));
        Expression options = named.has("options") ? parser.parse(named.optional("options")) : null;
        return scope -> {
            Object text = input.evaluate(scope);
            Object pattern = regex.evaluate(scope);
            Object flags = options == null ? null : options.evaluate(scope);
            boolean isNull = Absence.isNullish(text) || Absence.isNullish(pattern);
            return !isNull
                    && pattern(pattern, flags).matcher(checked(text, 51104)).find();
        };
    }

    private static BsonRegularExpression pattern(@Nullable Object pattern, @Nullable Object flags) {
        String options = Absence.isNullish(flags) ? "" : checked(flags, 51106);
        if (pattern instanceof BsonRegularExpression regex) {

            boolean hasOwn = regex.getOptions() != null && !regex.getOptions().isEmpty();
            if (hasOwn && !options.isEmpty()) {
                throw new CommandError(51107, "found regex option(s) specified in both 'regex' and 'option' fields");
            }
            return hasOwn ? regex : compiled(regex.getPattern(), options);
        }
        return compiled(checked(pattern, 51105), options);
    }

    private static BsonRegularExpression compiled(String pattern, String options) {
        try {
            BsonRegularExpression regex = new BsonRegularExpression(pattern, options);
            regex.matcher("");
            return regex;
        } catch (PatternSyntaxException e) {
            throw new CommandError(51111, "Invalid Regex: " + e.getDescription());
        } catch (IllegalArgumentException e) {
            throw new CommandError(51108, "invalid flag in regex options: " + options);
        }
    }
}
