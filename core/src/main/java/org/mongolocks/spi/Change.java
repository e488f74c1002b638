package org.mongolocks.spi;

import java.util.List;
import java.util.function.Function;
import org.bson.BsonDocument;

/** Says how a document is to be changed. */
public sealed interface Change {

    /**
     * Changes by update operators, which every server knows. Strings are data.
     *
     * @param operators for example {@code {$set: {...}}}
     */
    record Operators(BsonDocument operators) implements Change {
        @Override
        public <T> T fold(Function<BsonDocument, T> byOperators, Function<List<BsonDocument>, T> byPipeline) {
            return byOperators.apply(operators);
        }
    }

    /**
     * Changes by an aggregation pipeline, which can read the document and the server's clock ({@code $$NOW}). A string
     * that begins with a dollar sign is an expression there: a caller's value goes in {@code $literal}.
     *
     * @param stages for example {@code [{$set: {...}}]}
     */
    record Pipeline(List<BsonDocument> stages) implements Change {
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
     * Has a case for each kind of change.
     *
     * @param byOperators takes the operators
     * @param byPipeline takes the stages, in order
     * @param <T> what each case returns
     * @return what the case of this change returned
     */
    <T> T fold(Function<BsonDocument, T> byOperators, Function<List<BsonDocument>, T> byPipeline);

    /**
     * Makes a change by a pipeline.
     *
     * @param stages the stages, in order
     * @return the change
     */
    static Change pipeline(BsonDocument... stages) {
        return new Pipeline(List.of(stages));
    }

    /**
     * Makes a change by update operators.
     *
     * @param operators for example {@code {$set: {...}}}
     * @return the change
     */
    static Change operators(BsonDocument operators) {
        return new Operators(operators);
    }
}
