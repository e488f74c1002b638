package org.mongolocks.embedded.internal.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.pipeline.Stage.DocumentStage;

/** Reads the pipeline of an update, which may have a few kinds of stages only. */
public final class UpdatePipelineParser {
    private UpdatePipelineParser() {}

    public static List<DocumentStage> parse(List<?> stages) {
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
    public static void checkNames(List<?> stages) {
        for (Object stage : stages) {
            checkName(StageSpecification.of(stage));
        }
    }

    private static void checkName(StageSpecification stage) {
        if (!DocumentStages.NAMES.contains(stage.name()) && !stage.isNotForUpdates()) {
            throw stage.unknown();
        }
    }
}
