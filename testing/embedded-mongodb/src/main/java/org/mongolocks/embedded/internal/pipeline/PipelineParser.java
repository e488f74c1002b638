package org.mongolocks.embedded.internal.pipeline;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.Stage.DocumentStage;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;

/** Reads the pipeline of an aggregation or an update. */
public final class PipelineParser {
    private final Scope scope;

    /** A parser for one command. */
    public PipelineParser(Scope scope) {
        this.scope = scope;
    }

    public List<Stage> parse(List<?> stages) {
        List<Stage> parsed = new ArrayList<>(stages.size());
        for (Object stage : stages) {
            parsed.add(parse(StageSpecification.of(stage)));
        }
        return parsed;
    }

    /** Runs the stages one after the other. */
    public static List<Document> run(List<Stage> stages, List<Document> documents, Scope scope) {
        List<Document> results = documents;
        for (Stage stage : stages) {
            results = stage.run(results, scope);
        }
        return results;
    }

    /** Reads the pipeline of an update, which may have a few kinds of stages only. */
    public static List<DocumentStage> parseUpdate(List<?> stages) {
        List<DocumentStage> parsed = new ArrayList<>(stages.size());
        for (Object stage : stages) {
            StageSpecification specification = StageSpecification.of(stage);
            checkName(specification);
            if (specification.isNotForUpdates()) {
                throw CommandError.invalidOptions(specification.name() + " is not allowed to be used within an update");
            }
            parsed.add(DocumentStages.parse(specification));
        }
        return parsed;
    }

    /** Checks no more than the form and the names of stages; an update command fails as a whole over these. */
    public static void checkUpdate(List<?> stages) {
        for (Object stage : stages) {
            checkName(StageSpecification.of(stage));
        }
    }

    private static void checkName(StageSpecification stage) {
        if (!DocumentStages.NAMES.contains(stage.name()) && !stage.isNotForUpdates()) {
            throw stage.unknown();
        }
    }

    private Stage parse(StageSpecification stage) {
        if (DocumentStages.NAMES.contains(stage.name())) {
            return DocumentStages.parse(stage);
        }
        return switch (stage.name()) {
            case "$match" -> match(stage.argument());
            case "$sort" -> sort(stage.argument());
            case "$limit" -> limit(stage.argument());
            case "$group" -> Group.parse(stage.argument());
            case "$changeStream" ->
                throw new CommandError(40602, "$changeStream is only valid as the first stage in a pipeline.");
            default -> throw stage.unknown();
        };
    }

    private Stage match(@Nullable Object argument) {
        if (!(argument instanceof Document query)) {
            throw new CommandError(15959, "the match filter must be an expression in an object");
        }
        Filter filter = FilterParser.parse(query, scope);
        return (documents, unused) -> documents.stream().filter(filter::matches).toList();
    }

    private static Stage sort(@Nullable Object argument) {
        if (!(argument instanceof Document specification)) {
            throw new CommandError(15973, "the $sort key specification must be an object");
        }
        if (specification.isEmpty()) {
            throw new CommandError(15976, "$sort stage must have at least one sort key");
        }
        SortOrder order = SortOrder.parse(specification);
        return (documents, scope) -> order.sorted(documents);
    }

    private static Stage limit(@Nullable Object argument) {
        if (!(argument instanceof Number number)) {
            throw new CommandError(15957, "the limit must be specified as a number");
        }
        if (Numbers.whole(number) <= 0) {
            throw new CommandError(15958, "the limit must be positive");
        }
        return (documents, scope) -> documents.subList(0, (int) Math.min(documents.size(), Numbers.whole(number)));
    }

    /** The error for a pipeline that is not an array. */
    public static CommandError notAnArray() {
        return CommandError.typeMismatch("'pipeline' option must be specified as an array");
    }
}
