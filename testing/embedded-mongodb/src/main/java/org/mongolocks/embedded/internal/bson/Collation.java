package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;

/** Reads collations, which this server lists with collections and indexes but does not compare strings by. */
public final class Collation {
    private static final Set<String> LOCALES = Set.of("en", "en_US", "de", "fr", "it", "nl", "pt");
    // In the order of a listing.
    private static final Document DEFAULTS = new Document("caseLevel", false)
            .append("caseFirst", "off")
            .append("strength", 3)
            .append("numericOrdering", false)
            .append("alternate", "non-ignorable")
            .append("maxVariable", "punct")
            .append("normalization", false)
            .append("backwards", false);
    private static final Map<String, Set<String>> WORDS = Map.of(
            "caseFirst", Set.of("off", "upper", "lower"),
            "alternate", Set.of("non-ignorable", "shifted"),
            "maxVariable", Set.of("punct", "space"));
    private static final String VERSION = "57.1";

    private Collation() {}

    /** Gives a collation with all its options, as listCollections shows them; null is the simple one. */
    public static @Nullable Document parse(Document specification) {
        if (!specification.containsKey("locale")) {
            throw new CommandError(4, "Missing expected field \"locale\"");
        }
        if (!(specification.get("locale") instanceof String locale)) {
            throw CommandError.typeMismatch("\"locale\" had the wrong type. Expected string");
        }
        if (locale.equals("simple")) {
            if (specification.size() > 1) {
                throw CommandError.failedToParse("Collation spec contains fields beside the locale 'simple'");
            }
            return null;
        }
        if (!LOCALES.contains(locale)) {
            throw CommandError.unsupported("A collation with the locale '" + locale + "'");
        }
        for (String option : specification.keySet()) {
            if (!option.equals("locale") && !option.equals("version") && !DEFAULTS.containsKey(option)) {
                throw CommandError.failedToParse("Collation spec contains unknown field: " + option);
            }
        }
        Document complete = new Document("locale", locale);
        for (Entry<String, Object> option : DEFAULTS.entrySet()) {
            String name = option.getKey();
            complete.put(name, checked(name, specification.getOrDefault(name, option.getValue()), option.getValue()));
        }
        return complete.append("version", VERSION);
    }

    private static Object checked(String name, @Nullable Object value, Object otherwise) {
        if (otherwise instanceof Integer && value instanceof Number strength) {
            return checkedStrength(strength);
        }
        if (value == null || !value.getClass().equals(otherwise.getClass())) {
            throw CommandError.typeMismatch("\"" + name + "\" had the wrong type");
        }
        if (value instanceof String word && !WORDS.getOrDefault(name, Set.of()).contains(word)) {
            throw CommandError.failedToParse("Field '" + name + "' of the collation has an unknown value: " + word);
        }
        return value;
    }

    private static int checkedStrength(Number value) {
        int strength = Numbers.wholeInt(value);
        if (strength < 1 || strength > 5 || value.doubleValue() != strength) {
            throw CommandError.failedToParse("Field 'strength' must be an integer 1 through 5. Got: " + value);
        }
        return strength;
    }

    /** The error for strings that would have to compare other than byte for byte. */
    public static CommandError unsupported() {
        return CommandError.unsupported("Comparing strings by a collation");
    }
}
