package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.Document;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;

/**
 * The rules by which strings compare, other than byte for byte: those of the Unicode collation algorithm without a
 * tailoring, as the languages here use it. Null stands for the simple collation wherever one is passed.
 *
 * <p>A string has a key for each collation, and two strings compare as their keys do. The primary weights of ASCII are in the order of CLDR;
 * letters are folded to a base letter, marks and case where Unicode says so. Characters outside that order come after it by code point.
 */
public final class Collation {
    private static final Set<String> LOCALES = Set.of("en", "en_US", "de", "fr", "it", "nl", "pt");
    private static final Map<String, Object> DEFAULTS = Map.of(
            "caseLevel",
            false,
            "caseFirst",
            "off",
            "strength",
            3,
            "numericOrdering",
            false,
            "alternate",
            "non-ignorable",
            "maxVariable",
            "punct",
            "normalization",
            false,
            "backwards",
            false);
    private static final List<String> SHOWN = List.of(
            "caseLevel",
            "caseFirst",
            "strength",
            "numericOrdering",
            "alternate",
            "maxVariable",
            "normalization",
            "backwards");
    // Options that do not change how this server compares.
    private static final Set<String> FREE =
            Set.of("caseLevel", "caseFirst", "strength", "maxVariable", "normalization");
    private static final String VERSION = "57.1";

    // CLDR's groups, in their order.
    private static final List<String> GROUPS = List.of(
            "\t\n\u000B\f\r ",
            "_-,;:!?.'\"()[]{}@*/\\&#%",
            "`^+<=>|~",
            "$",
            "0123456789",
            "abcdefghijklmnopqrstuvwxyz");
    private static final Map<Integer, String> EXPANSIONS =
            Map.of((int) 'ß', "ss", (int) 'æ', "ae", (int) 'œ', "oe", (int) 'ø', "o\u0338");
    private static final char NEXT_LEVEL = 1;
    private static final char NO_MARK = 2;
    private static final char LOWER = 3;
    private static final char PRESENTATION = 5;
    private static final int BITS = 14;
    private static final int BASE = 0x100;

    private final Document definition;
    private final int strength;
    private final boolean hasCaseLevel;
    private final char upper;

    private Collation(Document definition) {
        this.definition = definition;
        this.strength = ((Number) definition.getOrDefault("strength", 3)).intValue();
        this.hasCaseLevel = Boolean.TRUE.equals(definition.get("caseLevel"));
        this.upper = (char) ("upper".equals(definition.get("caseFirst")) ? LOWER - 1 : LOWER + 1);
    }

    /** Reads a collation; null is the simple one. */
    public static @Nullable Collation parse(Document specification) {
        Object locale = specification.get("locale");
        if (!specification.containsKey("locale")) {
            throw new CommandError(4, "Missing expected field \"locale\"");
        }
        if (!(locale instanceof String name)) {
            throw CommandError.typeMismatch("\"locale\" had the wrong type. Expected string");
        }
        if (name.equals("simple")) {
            if (specification.size() > 1) {
                throw CommandError.failedToParse("Collation spec contains fields beside the locale 'simple'");
            }
            return null;
        }
        if (!LOCALES.contains(name)) {
            throw unsupported("the locale '" + name + "'");
        }
        Document complete = new Document("locale", name);
        for (String option : SHOWN) {
            complete.put(option, option(option, specification));
        }
        for (String option : specification.keySet()) {
            if (!option.equals("locale") && !option.equals("version") && !DEFAULTS.containsKey(option)) {
                throw CommandError.failedToParse("Collation spec contains unknown field: " + option);
            }
        }
        return new Collation(complete.append("version", VERSION));
    }

    private static Object option(String name, Document specification) {
        Object otherwise = DEFAULTS.getOrDefault(name, false);
        Object value = specification.getOrDefault(name, otherwise);
        if (otherwise instanceof Integer) {
            return strength(value);
        }
        if (value == null || !value.getClass().equals(otherwise.getClass())) {
            throw CommandError.typeMismatch("\"" + name + "\" had the wrong type");
        }
        boolean isKnown =
                switch (name) {
                    case "caseFirst" -> Set.of("off", "upper", "lower").contains(value);
                    case "alternate" -> Set.of("non-ignorable", "shifted").contains(value);
                    case "maxVariable" -> Set.of("punct", "space").contains(value);
                    default -> true;
                };
        if (!isKnown) {
            throw CommandError.failedToParse("Field '" + name + "' of the collation has an unknown value: " + value);
        }
        if (!FREE.contains(name) && !value.equals(otherwise)) {
            throw unsupported("'" + name + "' other than " + otherwise);
        }
        return value;
    }

    private static int strength(@Nullable Object value) {
        if (!(value instanceof Number number)) {
            throw CommandError.typeMismatch("\"strength\" had the wrong type");
        }
        long strength = Numbers.whole(number);
        if (strength < 1 || strength > 5 || number.doubleValue() != strength) {
            throw CommandError.failedToParse("Field 'strength' must be an integer 1 through 5. Got: " + number);
        }
        return (int) strength;
    }

    private static CommandError unsupported(String what) {
        return CommandError.unsupported("A collation with " + what);
    }

    /** All options, as listCollections shows them. */
    public Document definition() {
        return definition;
    }

    /** A value that compares with others of its kind as the strings in the original do by this collation. */
    public static @Nullable Object key(@Nullable Collation collation, @Nullable Object value) {
        return collation == null ? value : collation.key(value);
    }

    private @Nullable Object key(@Nullable Object value) {
        if (value instanceof String text) {
            return key(text);
        }
        if (value instanceof Document document) {
            Document keys = new Document();
            for (Entry<String, Object> field : document.entrySet()) {
                keys.put(field.getKey(), key(field.getValue()));
            }
            return keys;
        }
        if (value instanceof Collection<?> array) {
            List<@Nullable Object> keys = new ArrayList<>(array.size());
            array.forEach(element -> keys.add(key(element)));
            return keys;
        }
        return value;
    }

    private String key(String text) {
        Levels levels = new Levels();
        Normalizer.normalize(text, Normalizer.Form.NFD).codePoints().forEach(levels::add);
        StringBuilder key = levels.primary;
        if (strength > 1) {
            key.append(NEXT_LEVEL).append(levels.secondary);
        }
        if (hasCaseLevel || strength > 2) {
            key.append(NEXT_LEVEL).append(levels.tertiary);
        }
        return strength == 5 ? key.append(NEXT_LEVEL).append(text).toString() : key.toString();
    }

    /** The weights of a string. */
    private final class Levels {
        private final StringBuilder primary = new StringBuilder();
        private final StringBuilder secondary = new StringBuilder();
        private final StringBuilder tertiary = new StringBuilder();

        void add(int character) {
            int lower = Character.toLowerCase(character);
            boolean isUpper = lower != character;
            String expansion = EXPANSIONS.get(lower);
            if (expansion != null) {
                expansion.chars().forEach(part -> addBase(part, isUpper ? upper : LOWER, PRESENTATION));
            } else if (character < 0x80
                    || Normalizer.isNormalized(Character.toString(character), Normalizer.Form.NFKD)) {
                addBase(lower, isUpper ? upper : LOWER, NO_MARK);
            } else {
                Normalizer.normalize(Character.toString(character), Normalizer.Form.NFKD)
                        .codePoints()
                        .forEach(part -> addBase(Character.toLowerCase(part), PRESENTATION, NO_MARK));
            }
        }

        private void addBase(int character, char third, char second) {
            switch (Character.getType(character)) {
                case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK ->
                    append(secondary, character);
                case Character.FORMAT, Character.SURROGATE -> {}
                case Character.CONTROL -> {
                    if (GROUPS.get(0).indexOf(character) >= 0) {
                        addWeights(character, third, second);
                    }
                }
                default -> addWeights(character, third, second);
            }
        }

        private void addWeights(int character, char third, char second) {
            int digit = Character.digit(character, 10);
            int plain = digit >= 0 ? '0' + digit : character;
            int group = group(plain);
            int place = GROUPS.get(group).indexOf(plain);
            primary.append((char) (BASE * (group + 1) + (place < 0 ? BASE - 1 : place)));
            if (place < 0) {
                append(primary, plain);
            }
            secondary.append(second);
            tertiary.append(third);
        }
    }

    private static void append(StringBuilder weights, int character) {
        weights.append((char) (BASE + (character >> BITS))).append((char) (BASE + (character & ((1 << BITS) - 1))));
    }

    private static int group(int character) {
        for (int i = 0; i < GROUPS.size() && character < 0x80; i++) {
            if (GROUPS.get(i).indexOf(character) >= 0) {
                return i;
            }
        }
        return switch (Character.getType(character)) {
            case Character.SPACE_SEPARATOR, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> 0;
            case Character.CONNECTOR_PUNCTUATION,
                    Character.DASH_PUNCTUATION,
                    Character.START_PUNCTUATION,
                    Character.END_PUNCTUATION,
                    Character.INITIAL_QUOTE_PUNCTUATION,
                    Character.FINAL_QUOTE_PUNCTUATION,
                    Character.OTHER_PUNCTUATION -> 1;
            case Character.MATH_SYMBOL, Character.MODIFIER_SYMBOL, Character.OTHER_SYMBOL -> 2;
            case Character.CURRENCY_SYMBOL -> 3;
            case Character.LETTER_NUMBER, Character.OTHER_NUMBER -> 4;
            default -> 5;
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Collation collation && ValueOrder.same(definition, collation.definition);
    }

    @Override
    public int hashCode() {
        return 31 * strength
                + String.valueOf(definition.get("locale"))
                        .toLowerCase(Locale.ROOT)
                        .hashCode();
    }

    @Override
    public String toString() {
        return ShellText.of(definition);
    }
}
