package org.mongolocks.embedded.internal.pipeline;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Expression;
import org.mongolocks.embedded.internal.expression.ExpressionParser;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.Stage.DocumentStage;
import org.mongolocks.embedded.internal.projection.Projection;
import org.mongolocks.embedded.internal.projection.ProjectionParser;

/** Reads the stages that make one document of one document. */
final class DocumentStages {
    static final Set<String> NAMES = Set.of("$addFields", "$set", "$project", "$unset", "$replaceRoot", "$replaceWith");

    private DocumentStages() {}

    static DocumentStage parse(StageSpecification stage) {
        return switch (stage.name()) {
            case "$addFields", "$set" ->
                projecting(
                        stage,
                        () -> ProjectionParser.parseAdditions(
                                document(stage, 40272, stage.name() + " specification stage must be an object")));
            case "$project" -> projecting(stage, () -> ProjectionParser.parse(nonEmpty(stage)));
            case "$unset" -> projecting(stage, () -> ProjectionParser.parseRemovals(names(stage.argument())));
            case "$replaceWith" -> replacing(stage.argument());
            default -> replacing(newRoot(stage));
        };
    }

    private static DocumentStage projecting(StageSpecification stage, Supplier<Projection> parser) {
        try {
            Projection projection = parser.get();
            return projection::apply;
        } catch (CommandError e) {
            throw e.within("Invalid " + stage.name());
        }
    }

    private static Document document(StageSpecification stage, int code, String message) {
        if (stage.argument() instanceof Document document) {
            return document;
        }
        throw new CommandError(code, message + ", got " + BsonKind.nameOf(stage.argument()));
    }

    private static Document nonEmpty(StageSpecification stage) {
        Document specification = document(stage, 15969, "$project specification must be an object");
        if (specification.isEmpty()) {
            throw new CommandError(51272, "projection specification must have at least one field");
        }
        return specification;
    }

    private static List<String> names(@Nullable Object argument) {
        if (argument instanceof String name) {
            return List.of(name);
        }
        List<String> names = new ArrayList<>();
        for (Object name : argument instanceof List<?> listed ? listed : List.of()) {
            names.add(name instanceof String text ? text : "");
        }
        if (names.isEmpty()) {
            throw new CommandError(31119, "$unset specification must be a string or an array with at least one field");
        }
        return names;
    }

    private static @Nullable Object newRoot(StageSpecification stage) {
        Document specification = document(stage, 40229, "expected an object as specification for $replaceRoot stage");
        if (!specification.keySet().equals(Set.of("newRoot"))) {
            throw new CommandError(40414, "$replaceRoot takes the field 'newRoot' only");
        }
        return specification.get("newRoot");
    }

    private static DocumentStage replacing(@Nullable Object newRoot) {
        Expression expression = new ExpressionParser().parse(newRoot);
        return (document, scope) -> replaced(document, expression, scope);
    }

    private static Document replaced(Document document, Expression expression, Scope scope) {
        Object value = expression.evaluate(scope.on(document));
        if (value instanceof Document replacement) {
            return replacement;
        }
        throw new CommandError(
                40228,
                "'replacement document' must evaluate to an object, but resulting value was: " + ShellText.of(value)
                        + ". Type of resulting value: '" + BsonKind.nameOf(value) + "'. Input document: "
                        + ShellText.of(document));
    }
}
