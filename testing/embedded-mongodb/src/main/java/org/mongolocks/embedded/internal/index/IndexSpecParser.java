package org.mongolocks.embedded.internal.index;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Map.Entry;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** Reads and checks the definition of an index. */
public final class IndexSpecParser {
    private static final Set<String> FLAGS = Set.of("unique", "background");
    private static final Set<String> VALUES = Set.of("v", "key", "name", "expireAfterSeconds");

    private IndexSpecParser() {}

    /** Reads a definition. */
    public static IndexSpec parse(Document specification) {
        for (Entry<String, Object> option : specification.entrySet()) {
            checkOption(option.getKey(), option.getValue());
        }
        if (!(specification.get("key") instanceof Document key)
                || !(specification.get("name") instanceof String name)) {
            throw CommandError.failedToParse(
                    "The fields 'key' and 'name' are required properties of an index specification");
        }
        if (key.isEmpty()) {
            throw cannotCreate("Index keys cannot be an empty object.");
        }
        key.forEach(IndexSpecParser::checkField);
        if (ValueOrder.same(key, IndexSpec.ID.keyPattern())) {
            return IndexSpec.ID;
        }
        if (key.keySet().equals(IndexSpec.ID.keyPattern().keySet()) || name.equals(IndexSpec.ID.name())) {
            throw CommandError.badValue("The _id index must have the key {_id: 1} and the name _id_");
        }
        if (name.isEmpty()) {
            throw cannotCreate("index name cannot be empty");
        }
        if (specification.containsKey("expireAfterSeconds") && key.size() > 1) {
            throw cannotCreate("TTL indexes are single-field indexes, compound indexes do not support TTL.");
        }
        return new IndexSpec(definition(specification));
    }

    private static void checkOption(String name, @Nullable Object value) {
        boolean isFlag = FLAGS.contains(name);
        if (!isFlag && !VALUES.contains(name)) {
            throw CommandError.unsupported("The index option '" + name + "'");
        }
        if (isFlag && !(value instanceof Boolean || value instanceof Number)) {
            throw CommandError.typeMismatch(
                    "The field '" + name + "' must be of type bool, but got " + BsonKind.nameOf(value));
        }
        boolean isExpiry = value instanceof Number seconds
                && seconds.doubleValue() >= 0
                && seconds.doubleValue() <= Integer.MAX_VALUE;
        if (name.equals("expireAfterSeconds") && !isExpiry) {
            throw cannotCreate("TTL index 'expireAfterSeconds' option must be a number from 0 to 2147483647");
        }
    }

    private static void checkField(String path, @Nullable Object direction) {
        if (!(direction instanceof Number number)) {
            throw CommandError.unsupported("An index of the kind " + ShellText.of(direction));
        }
        if (number.doubleValue() == 0 || Double.isNaN(number.doubleValue())) {
            throw cannotCreate("Values in the index key pattern cannot be 0.");
        }
        FieldPath parts = FieldPath.of(path);
        for (int i = 0; i < parts.length(); i++) {
            if (parts.part(i).isEmpty() || parts.part(i).startsWith("$")) {
                throw cannotCreate("Index key contains an illegal field name: '" + path + "'");
            }
        }
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
}
