package org.mongolocks.reporting;

import java.util.Map;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** JSON as all programs write it. */
public final class Json {
    private static final JsonWriterSettings INDENTED = JsonWriterSettings.builder()
            .outputMode(JsonMode.RELAXED)
            .indent(true)
            .build();

    private Json() {}

    /** Returns a document for a file, indented. */
    public static String indented(Document document) {
        return document.toJson(INDENTED);
    }

    /** Returns a document for a file, indented. */
    public static String indented(BsonDocument document) {
        return document.toJson(INDENTED);
    }

    /** Returns JSON for a script element: without characters that mean something in HTML or XML. */
    public static String inline(String json) {
        return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
    }

    /** Returns a document for a script element: in one line, without characters that mean something in HTML or XML. */
    public static String inline(Map<String, Object> values) {
        return inline(new Document(values).toJson());
    }
}
