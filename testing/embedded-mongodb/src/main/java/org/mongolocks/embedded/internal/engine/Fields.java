package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** The fields of a command or of one of its statements, read strictly: an unknown field or a wrong type is an error. */
public final class Fields {
    // The fields common to all commands.
    private static final Set<String> GENERIC = Set.of("""
            $db lsid $clusterTime $readPreference txnNumber autocommit startTransaction readConcern
            writeConcern maxTimeMS comment $audit $client $configServerState $oplogQueryData $queryOptions $replData
            operationTime allowImplicitCollectionCreation databaseVersion shardVersion tracking_info coordinator
            maxTimeMSOpOnly""".split("\\s+"));

    private final Document document;
    private final String name;
    private final int typeCode;

    private Fields(Document document, String name, int typeCode) {
        this.document = document;
        this.name = name;
        this.typeCode = typeCode;
    }

    /** The fields of a command, of which only some are known. */
    public static Fields ofCommand(Document command, Set<String> known) {
        return ofCommand(command, known, ErrorCode.UNKNOWN_FIELD);
    }

    /** The fields of a command that has an error code of its own for those that are unknown. */
    public static Fields ofCommand(Document command, Set<String> known, int unknownCode) {
        String name = command.keySet().iterator().next();
        for (String field : command.keySet()) {
            if (!field.equals(name) && !known.contains(field) && !GENERIC.contains(field)) {
                throw unknown(name, field, unknownCode);
            }
        }
        boolean isParsedByHand = unknownCode == ErrorCode.FAILED_TO_PARSE;
        return new Fields(command, name, isParsedByHand ? ErrorCode.FAILED_TO_PARSE : ErrorCode.TYPE_MISMATCH);
    }

    /** The fields of a command that takes no notice of those that are unknown. */
    public static Fields ofLenient(Document command) {
        return new Fields(command, command.keySet().iterator().next(), ErrorCode.TYPE_MISMATCH);
    }

    /** The fields of a statement within a command. */
    public static Fields ofStatement(@Nullable Object statement, String name, Set<String> known) {
        if (!(statement instanceof Document document)) {
            throw CommandError.typeMismatch("BSON field '" + name + "' is the wrong type '" + BsonKind.nameOf(statement)
                    + "', expected type 'object'");
        }
        for (String field : document.keySet()) {
            if (!known.contains(field)) {
                throw unknown(name, field, ErrorCode.UNKNOWN_FIELD);
            }
        }
        return new Fields(document, name, ErrorCode.TYPE_MISMATCH);
    }

    private static CommandError unknown(String name, String field, int code) {
        return new CommandError(code, "BSON field '" + name + "." + field + "' is an unknown field.");
    }

    /** The document that has these fields. */
    public Document all() {
        return document;
    }

    public boolean has(String field) {
        return document.containsKey(field);
    }

    // Fields that MongoDB reads by a generated parser may be null, which means absent.
    private boolean isAbsent(String field) {
        Object value = document.getOrMissing(field);
        return Values.isMissing(value) || (value == null && typeCode == ErrorCode.TYPE_MISMATCH);
    }

    @Nullable
    public Object get(String field) {
        return document.get(field);
    }

    /** The value of a field that must be there. */
    @Nullable
    public Object required(String field) {
        if (!document.containsKey(field)) {
            throw new CommandError(
                    ErrorCode.MISSING_FIELD, "BSON field '" + name + "." + field + "' is missing but a required field");
        }
        return document.get(field);
    }

    private CommandError wrongType(String field, String expected) {
        return new CommandError(
                typeCode,
                "BSON field '" + name + "." + field + "' is the wrong type '" + BsonKind.nameOf(document.get(field))
                        + "', expected type '" + expected + "'");
    }

    /** A document, or an empty one. */
    public Document document(String field) {
        if (isAbsent(field)) {
            return new Document();
        }
        if (document.get(field) instanceof Document value) {
            return value;
        }
        throw wrongType(field, "object");
    }

    public Document requiredDocument(String field) {
        if (required(field) instanceof Document value) {
            return value;
        }
        throw wrongType(field, "object");
    }

    /** An array of documents that must be there. */
    public List<Document> requiredDocuments(String field) {
        required(field);
        if (!(document.get(field) instanceof Collection<?> values)) {
            throw wrongType(field, "array");
        }
        List<Document> documents = new ArrayList<>(values.size());
        for (Object value : values) {
            if (!(value instanceof Document element)) {
                throw new CommandError(
                        typeCode,
                        "BSON field '" + name + "." + field + "." + documents.size() + "' is the wrong type '"
                                + BsonKind.nameOf(value) + "', expected type 'object'");
            }
            documents.add(element);
        }
        return documents;
    }

    /** An array, or null. */
    @Nullable
    public List<?> array(String field) {
        if (isAbsent(field)) {
            return null;
        }
        if (document.get(field) instanceof List<?> value) {
            return value;
        }
        throw wrongType(field, "array");
    }

    public boolean flag(String field, boolean otherwise) {
        if (isAbsent(field)) {
            return otherwise;
        }
        if (document.get(field) instanceof Boolean value) {
            return value;
        }
        throw wrongType(field, "bool");
    }

    public String requiredString(String field) {
        if (required(field) instanceof String value) {
            return value;
        }
        throw wrongType(field, "string");
    }

    /** A whole number, or another if it is not there. */
    public long number(String field, long otherwise) {
        if (isAbsent(field)) {
            return otherwise;
        }
        if (document.get(field) instanceof Number value) {
            return Numbers.whole(value);
        }
        throw wrongType(field, "long");
    }

    /** A number that must not be negative. */
    public long count(String field, long otherwise) {
        long value = number(field, otherwise);
        if (value < 0) {
            throw CommandError.badValue(field + " value must be non-negative, but received: " + value);
        }
        return value;
    }

    /** An index hint, or null. */
    @Nullable
    public Object hint() {
        Object hint = document.get("hint");
        if (hint == null || hint instanceof String || hint instanceof Document) {
            return hint;
        }
        throw CommandError.failedToParse("hint must be specified as a string or an object");
    }

    /** Refuses a collation other than the simple one. */
    public void refuseCollation() {
        Document collation = document("collation");
        if (!collation.isEmpty() && !"simple".equals(collation.get("locale"))) {
            throw unsupported("collation");
        }
    }

    private CommandError unsupported(String option) {
        return CommandError.unsupported("The option '" + option + "'");
    }
}
