package org.mongolocks.embedded.internal.index;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** Reads and checks the definition of an index. */
public final class IndexSpecParser {
    private static final Set<String> PLUGINS = Set.of("hashed", "text", "2d", "2dsphere", "geoHaystack");
    private static final Set<String> FLAGS = Set.of("unique", "background");
    private static final Set<String> UNSUPPORTED = Set.of("""
            sparse hidden collation partialFilterExpression dropDups weights default_language language_override
            textIndexVersion 2dsphereIndexVersion bits min max bucketSize wildcardProjection
            storageEngine""".split("\\s+"));

    private IndexSpecParser() {}

    /** Reads a definition. */
    public static IndexSpec parse(@Nullable Object specification) {
        if (!(specification instanceof Document document)) {
            throw CommandError.typeMismatch(
                    "The elements of the 'indexes' array must be objects, but got " + BsonKind.nameOf(specification));
        }
        for (Entry<String, Object> option : document.entrySet()) {
            checkOption(option.getKey(), option.getValue(), document);
        }
        requirePresent(document, "key");
        requirePresent(document, "name");
        return build(document);
    }

    private static void requirePresent(Document specification, String field) {
        if (!specification.containsKey(field)) {
            throw CommandError.failedToParse(
                    "The '" + field + "' field is a required property of an index specification");
        }
    }

    private static void checkOption(String name, @Nullable Object value, Document specification) {
        switch (name) {
            case "key" -> checkKey(value);
            case "name" -> checkName(value);
            case "v" -> checkVersion(value);
            case "expireAfterSeconds" -> checkedExpiry(value);
            default -> checkRarer(name, value, specification);
        }
    }

    private static void checkRarer(String name, @Nullable Object value, Document specification) {
        if (FLAGS.contains(name)) {
            requireType(name, value, value instanceof Boolean || value instanceof Number, BsonKind.BOOL);
        } else if (UNSUPPORTED.contains(name)) {
            throw CommandError.unsupported("The index option '" + name + "'");
        } else {
            throw new CommandError(
                    ErrorCode.INVALID_INDEX_SPECIFICATION,
                    "The field '" + name + "' is not valid for an index specification. Specification: "
                            + ShellText.of(specification));
        }
    }

    private static void requireType(String name, @Nullable Object value, boolean isRight, BsonKind expected) {
        if (!isRight) {
            throw CommandError.typeMismatch("The field '" + name + "' must be of type " + expected.alias()
                    + ", but got " + BsonKind.nameOf(value));
        }
    }

    private static void checkName(@Nullable Object value) {
        requireType("name", value, value instanceof String, BsonKind.STRING);
        if ("*".equals(value)) {
            throw CommandError.badValue("The index name '*' is not valid.");
        }
        if (value instanceof String name && name.indexOf('\0') >= 0) {
            throw cannotCreate("index name cannot contain NUL bytes");
        }
        if ("".equals(value)) {
            throw cannotCreate("index name cannot be empty");
        }
    }

    private static void checkVersion(@Nullable Object value) {
        requireType("v", value, value instanceof Number, BsonKind.INT);
        if (value instanceof Number version && Numbers.wholeInt(version) != 1 && Numbers.wholeInt(version) != 2) {
            throw cannotCreate("Invalid index version " + version);
        }
    }

    private static void checkKey(@Nullable Object value) {
        requireType("key", value, value instanceof Document, BsonKind.OBJECT);
        if (!(value instanceof Document key)) {
            return;
        }
        if (key.isEmpty()) {
            throw cannotCreate("Index keys cannot be an empty object.");
        }
        for (Entry<String, Object> field : key.entrySet()) {
            checkDirection(field.getValue());
            checkPath(field.getKey());
        }
    }

    private static void checkDirection(@Nullable Object value) {
        if (value instanceof String plugin) {
            throw PLUGINS.contains(plugin)
                    ? new CommandError(
                            ErrorCode.NOT_IMPLEMENTED, plugin + " indexes are not supported by the embedded server")
                    : cannotCreate("Unknown index plugin '" + plugin + "'");
        }
        if (!(value instanceof Number number)) {
            throw cannotCreate("Values in v:2 index key pattern cannot be of type " + BsonKind.nameOf(value)
                    + ". Only numbers > 0, numbers < 0, and strings are allowed.");
        }
        if (number.doubleValue() == 0 || Double.isNaN(number.doubleValue())) {
            throw cannotCreate("Values in the index key pattern cannot be 0.");
        }
    }

    private static void checkPath(String text) {
        if (text.equals("$**") || text.endsWith(".$**")) {
            throw new CommandError(
                    ErrorCode.NOT_IMPLEMENTED, "wildcard indexes are not supported by the embedded server");
        }
        FieldPath path = FieldPath.of(text);
        for (int i = 0; i < path.length(); i++) {
            if (path.part(i).isEmpty()) {
                throw cannotCreate("Index keys cannot contain an empty field.");
            }
            if (path.part(i).startsWith("$")) {
                throw cannotCreate("Index key contains an illegal field name: field name starts with '$'.");
            }
        }
    }

    private static IndexSpec build(Document specification) {
        Document key = (Document) Objects.requireNonNull(specification.get("key"));
        if (isIdPattern(key)) {
            return idIndex(key, specification);
        }
        if ("_id_".equals(specification.get("name"))) {
            throw CommandError.badValue(
                    "The index name '_id_' is reserved for the _id index, which must have key pattern {_id: 1}");
        }
        if (specification.containsKey("expireAfterSeconds") && key.size() > 1) {
            throw cannotCreate("TTL indexes are single-field indexes, compound indexes do not support TTL.");
        }
        return new IndexSpec(definition(specification));
    }

    // In either direction, though it is made in one only.
    private static boolean isIdPattern(Document key) {
        return key.size() == 1
                && key.get("_id") instanceof Number direction
                && Math.abs(Numbers.wholeInt(direction)) == 1;
    }

    private static IndexSpec idIndex(Document key, Document specification) {
        if (!ValueOrder.same(key, IndexSpec.ID.keyPattern())) {
            throw CommandError.badValue(
                    "The field 'key' for an _id index must be {_id: 1}, but got " + ShellText.of(key));
        }
        for (String name : specification.keySet()) {
            if (!Set.of("key", "name", "v", "background").contains(name)) {
                throw new CommandError(
                        ErrorCode.INVALID_INDEX_SPECIFICATION,
                        "The field '" + name + "' is not valid for an _id index specification. Specification: "
                                + ShellText.of(specification));
            }
        }
        return IndexSpec.ID;
    }

    // False flags are not stored; the version comes first, then whether it is unique, as in MongoDB's listings.
    private static Document definition(Document specification) {
        Document definition = new Document("v", specification.getOrDefault("v", 2));
        if (Values.isTrue(specification.get("unique"))) {
            definition.put("unique", true);
        }
        definition.put("key", specification.get("key"));
        definition.put("name", specification.get("name"));
        for (Entry<String, Object> option : specification.entrySet()) {
            String name = option.getKey();
            if (!FLAGS.contains(name)) {
                definition.put(name, option.getValue());
            } else if (Values.isTrue(option.getValue())) {
                definition.put(name, true);
            }
        }
        return definition;
    }

    private static CommandError cannotCreate(String message) {
        return new CommandError(ErrorCode.CANNOT_CREATE_INDEX, message);
    }

    // The seconds after which documents expire, if they are allowed.
    private static Number checkedExpiry(@Nullable Object value) {
        if (!(value instanceof Number seconds)) {
            throw cannotCreate("TTL index 'expireAfterSeconds' option must be numeric, but received a type of '"
                    + BsonKind.nameOf(value) + "'");
        }
        if (seconds.doubleValue() < 0) {
            throw cannotCreate("TTL index 'expireAfterSeconds' option cannot be less than 0");
        }
        if (!(seconds.doubleValue() <= Integer.MAX_VALUE)) {
            throw cannotCreate(
                    "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number");
        }
        return seconds;
    }
}
