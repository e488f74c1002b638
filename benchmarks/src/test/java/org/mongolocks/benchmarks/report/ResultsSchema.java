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
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The documented format of {@code results.json}, for comparison with actual documents. */
public final class ResultsSchema {
    private static final Path DOCS = Path.of("..", "docs");
    /** The path whose fields depend on the benchmark. */
    private static final String OPEN = ".parameters";

    /** The section that explains the fields. */
    private static final String FORMAT = "## results.json";

    private static final Pattern FIELD = Pattern.compile("^\\| `([^`]+)` \\| ", Pattern.MULTILINE);

    private ResultsSchema() {}

    /** Returns the violations of {@code docs/results.schema.json} in a document. */
    public static List<String> faults(String json) throws IOException {
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(DOCS.resolve("results.schema.json")));
        return schema.validate(json, InputFormat.JSON).stream()
                .map(Error::toString)
                .toList();
    }

    /** Returns the fields that {@code docs/compare.md} explains. */
    static Set<String> documentedFields() throws IOException {
        String documentation = Files.readString(DOCS.resolve("compare.md"));
        return FIELD.matcher(documentation.substring(documentation.indexOf(FORMAT)))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
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
