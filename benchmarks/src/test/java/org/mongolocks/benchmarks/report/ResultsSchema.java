package org.mongolocks.benchmarks.report;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** The format of {@code results.json}, as {@code docs/results.schema.json} defines and describes it. */
public final class ResultsSchema {
    private static final Path FILE = Path.of("..", "docs", "results.schema.json");
    /** Its fields depend on the benchmark. */
    private static final String OPEN = ".parameters";

    private static final String DEFINITIONS = "#/$defs/";

    private ResultsSchema() {}

    /** Returns the violations of the schema in a document. */
    public static List<String> faults(String json) throws IOException {
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(FILE));
        return schema.validate(json, InputFormat.JSON).stream()
                .map(Error::toString)
                .toList();
    }

    /** Returns the paths of the fields that have a description in the schema. */
    static Set<String> describedFields() throws IOException {
        Document schema = Document.parse(Files.readString(FILE));
        Set<String> fields = new TreeSet<>();
        collectDescribed("", schema, schema.get("$defs", Document.class), fields);
        return fields;
    }

    private static void collectDescribed(String path, Document node, Document definitions, Set<String> fields) {
        Document type = resolved(node, definitions);
        if (type.containsKey("properties")) {
            type.get("properties", Document.class)
                    .forEach((name, member) -> collectDescribed(
                            path.isEmpty() ? name : path + "." + name, (Document) member, definitions, fields));
        } else if (type.containsKey("oneOf")) {
            type.getList("oneOf", Document.class).forEach(kind -> collectDescribed(path, kind, definitions, fields));
        } else {
            Optional<Document> elements = Optional.ofNullable(type.get("items", Document.class))
                    .filter(items -> isObject(resolved(items, definitions)));
            String field = elements.isPresent() ? path + "[]" : path;
            if (node.containsKey("description")) {
                fields.add(field);
            }
            elements.ifPresent(items -> collectDescribed(field, items, definitions, fields));
        }
    }

    private static boolean isObject(Document type) {
        return type.containsKey("properties") || type.containsKey("oneOf");
    }

    private static Document resolved(Document node, Document definitions) {
        return Optional.ofNullable(node.getString("$ref"))
                .map(reference -> definitions.get(reference.substring(DEFINITIONS.length()), Document.class))
                .orElse(node);
    }

    /** Returns the paths of the values in a document; all objects in an array have the same path. */
    static Set<String> fields(Map<String, ?> document) {
        Set<String> fields = new TreeSet<>();
        document.forEach((name, value) -> collect(name, value, fields));
        return fields;
    }

    private static void collect(String path, @Nullable Object value, Set<String> fields) {
        if (value instanceof Map<?, ?> object && !path.endsWith(OPEN)) {
            object.forEach((name, member) -> collect(path + "." + name, member, fields));
        } else if (value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance)) {
            fields.add(path + "[]");
            list.forEach(element ->
                    ((Map<?, ?>) element).forEach((name, member) -> collect(path + "[]." + name, member, fields)));
        } else {
            fields.add(path);
        }
    }
}
