package org.mongolocks.spi;

import java.util.List;
import java.util.function.Function;
import org.bson.BsonDocument;

/** The update of a document, by operators or by a pipeline. */
public sealed interface UpdateSpec {

    /**
     * An update by operators, which every server supports. Strings are data.
     *
     * @param operators for example {@code {$set: {...}}}
     */
    record Operators(BsonDocument operators) implements UpdateSpec {
        @Override
        public <T> T fold(Function<BsonDocument, T> byOperators, Function<List<BsonDocument>, T> byPipeline) {
            return byOperators.apply(operators);
        }
    }

    /**
     * An update by an aggregation pipeline, which can read the document and the server's clock ({@code $$NOW}). A
     * string that begins with a dollar sign is an expression there: put a caller's value in {@code $literal}.
     *
     * @param stages for example {@code [{$set: {...}}]}
     */
    record Pipeline(List<BsonDocument> stages) implements UpdateSpec {
        /**
         * Copies the stages.
         *
         * @param stages the stages, in order
         */
        public Pipeline {
            stages = List.copyOf(stages);
        }

        @Override
        public <T> T fold(Function<BsonDocument, T> byOperators, Function<List<BsonDocument>, T> byPipeline) {
            return byPipeline.apply(stages);
        }
    }

    /**
     * Applies the function for the kind of this update.
     *
     * @param byOperators receives the operators
     * @param byPipeline receives the stages, in order
     * @param <T> the result of both functions
     * @return the result of the function that was applied
     */
    <T> T fold(Function<BsonDocument, T> byOperators, Function<List<BsonDocument>, T> byPipeline);

    /**
     * Returns an update by a pipeline.
     *
     * @param stages the stages, in order
     * @return the update
     */
    static UpdateSpec pipeline(BsonDocument... stages) {
        return new Pipeline(List.of(stages));
    }

    /**
     * Returns an update by operators.
     *
     * @param operators for example {@code {$set: {...}}}
     * @return the update
     */
    static UpdateSpec operators(BsonDocument operators) {
        return new Operators(operators);
    }
}
