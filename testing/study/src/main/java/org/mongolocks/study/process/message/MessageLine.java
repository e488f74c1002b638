package org.mongolocks.study.process.message;

import com.mongodb.MongoClientSettings;
import java.util.stream.Stream;
import org.bson.BsonDocumentWrapper;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.json.JsonReader;

/** A message as a line of text: the name of its record, and its components as JSON. */
public final class MessageLine {
    private static final CodecRegistry RECORDS = MongoClientSettings.getDefaultCodecRegistry();

    private MessageLine() {}

    public static String of(Record message) {
        return message.getClass().getSimpleName() + " "
                + BsonDocumentWrapper.asBsonDocument(message, RECORDS).toJson();
    }

    /**
     * Reads a line.
     *
     * @param kind a sealed type, whose records are the known messages
     * @throws IllegalArgumentException if the line is invalid; the message says why
     */
    public static <T> T read(Class<T> kind, String line) {
        String[] parts = line.split(" ", 2);
        Class<?> type = Stream.of(kind.getPermittedSubclasses())
                .filter(one -> one.getSimpleName().equals(parts[0]))
                .findFirst()
                .filter(one -> parts.length == 2)
                .orElseThrow(() -> new IllegalArgumentException("Unknown message '" + line + "'"));
        try (JsonReader json = new JsonReader(parts[1])) {
            return kind.cast(
                    RECORDS.get(type).decode(json, DecoderContext.builder().build()));
        } catch (RuntimeException e) { // Each codec has its own.
            throw new IllegalArgumentException("Invalid message '" + line + "': " + e.getMessage(), e);
        }
    }
}
