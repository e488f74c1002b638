package org.mongolocks.study.sim.net;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Converts values of the driver into values of the server and back, without serialization. */
public final class BsonConversion {
    /** Fields of a reply about the member that sent it. */
    private static final Set<String> OF_THE_MEMBER = Set.of("$clusterTime", "opTime", "electionId");

    private BsonConversion() {}

    public static Document toServer(BsonDocument document) {
        Document result = new Document();
        document.forEach((key, value) -> result.put(key, value(value)));
        return result;
    }

    /** Converts a reply, without the fields about its member, which no client here reads. */
    public static BsonDocument reply(Document reply) {
        Document body = new Document();
        reply.forEach((key, value) -> {
            if (!OF_THE_MEMBER.contains(key)) {
                body.put(key, value);
            }
        });
        return toDriver(body);
    }

    private static BsonDocument toDriver(Document document) {
        BsonDocument result = new BsonDocument();
        for (Map.Entry<String, Object> field : document.entrySet()) {
            result.put(field.getKey(), value(field.getValue()));
        }
        return result;
    }

    private static @Nullable Object value(BsonValue value) {
        return switch (value.getBsonType()) {
            case DOCUMENT -> toServer(value.asDocument());
            case ARRAY -> list(value.asArray());
            case STRING -> value.asString().getValue();
            case INT32 -> value.asInt32().getValue();
            case INT64 -> value.asInt64().getValue();
            case DOUBLE -> value.asDouble().getValue();
            case BOOLEAN -> value.asBoolean().getValue();
            case DATE_TIME -> Instant.ofEpochMilli(value.asDateTime().getValue());
            case OBJECT_ID -> new ObjectId(value.asObjectId().getValue().toByteArray());
            case BINARY -> value.asBinary().asUuid();
            case TIMESTAMP ->
                new de.bwaldvogel.mongo.bson.BsonTimestamp(value.asTimestamp().getValue());
            case NULL -> null;
            default -> throw new IllegalArgumentException("No command here has a " + value.getBsonType());
        };
    }

    private static List<@Nullable Object> list(BsonArray array) {
        List<@Nullable Object> result = new ArrayList<>(array.size());
        array.forEach(element -> result.add(value(element)));
        return result;
    }

    private static BsonValue value(@Nullable Object value) {
        if (value == null) {
            return BsonNull.VALUE;
        }
        if (value instanceof Document document) {
            return toDriver(document);
        }
        if (value instanceof Collection<?> elements) {
            return new BsonArray(elements.stream().map(BsonConversion::value).toList());
        }
        return value instanceof Number number ? number(number) : scalar(value);
    }

    private static BsonValue number(Number number) {
        if (number instanceof Integer) {
            return new BsonInt32(number.intValue());
        }
        return number instanceof Long ? new BsonInt64(number.longValue()) : new BsonDouble(number.doubleValue());
    }

    private static BsonValue scalar(Object value) {
        if (value instanceof String string) {
            return new BsonString(string);
        }
        if (value instanceof Boolean bool) {
            return BsonBoolean.valueOf(bool);
        }
        if (value instanceof Instant instant) {
            return new BsonDateTime(instant.toEpochMilli());
        }
        if (value instanceof ObjectId id) {
            return new BsonObjectId(new org.bson.types.ObjectId(id.toByteArray()));
        }
        if (value instanceof UUID uuid) {
            return new BsonBinary(uuid);
        }
        if (value instanceof de.bwaldvogel.mongo.bson.BsonTimestamp time) {
            return new BsonTimestamp(time.getValue());
        }
        throw new IllegalArgumentException("No reply here has a " + value.getClass());
    }
}
