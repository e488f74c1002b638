package org.mongolocks.protocol;

import static org.mongolocks.spi.LockSchema.LockFields.FORMAT;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/** The laws for one operation: whether a strategy may send it. */
record OperationLaws(LockStrategy strategy) {
    private static final List<String> CALLER_STRINGS = List.of(
            ProtocolFixture.NAME.value(),
            ProtocolFixture.ME.stored(),
            ProtocolFixture.OTHER.stored(),
            "$host",
            "$thread",
            "$note");

    boolean isLabelled(MongoOp op) {
        return op.label().startsWith(strategy.name() + "/");
    }

    boolean isInSchema(MongoOp op) {
        return collection(op)
                .map(name -> strategy.schema().collections().stream()
                        .anyMatch(known -> known.name().equals(name)))
                .orElse(true);
    }

    /** A server without update pipelines has no list of waiters. */
    Predicate<ProgramTrace> areAllowedByTraits() {
        Predicate<MongoOp> isPlain = Law.onceEach(OperationLaws::isPlain);
        return trace -> {
            boolean mayBeAnyUpdate =
                    !declares(Trait.CLOCK_FREE) || trace.exchanges().stream().anyMatch(RequestReply::showsWaiters);
            return trace.exchanges().stream()
                    .map(RequestReply::op)
                    .allMatch(op -> isTransactionAllowed(op) && (mayBeAnyUpdate || isPlain.test(op)));
        };
    }

    boolean isTransactionAllowed(MongoOp op) {
        return declares(Trait.NEEDS_TRANSACTIONS) || !(op instanceof MongoOp.Transaction);
    }

    /**
     * Returns whether an operation on documents reads only, has the strategy's mark in its filter, or compares
     * the mark in each stage of its pipeline.
     */
    boolean isOnOwnDocuments(MongoOp op) {
        return parts(op).allMatch(this::isOneOnOwnDocuments);
    }

    /** Returns whether a string of a caller is where the server evaluates expressions, or is the name of a field. */
    static boolean hasEvaluatedCallerString(MongoOp op) {
        return parts(op).anyMatch(OperationLaws::isEvaluatedInOne);
    }

    /** Returns the collection that an operation names, if any. */
    static Optional<String> collection(MongoOp op) {
        BsonValue first = CommandRenderer.of(op).values().iterator().next();
        return first.isString() ? Optional.of(first.asString().getValue()) : Optional.empty();
    }

    /** Returns whether a document has a certain format mark. */
    static boolean isMarked(BsonDocument document, String format) {
        return new BsonString(format).equals(document.get(FORMAT));
    }

    private boolean declares(Trait trait) {
        return strategy.traits().contains(trait);
    }

    /** Every server supports it: nothing is computed, and no clock is read. */
    private static boolean isPlain(MongoOp op) {
        String json = CommandRenderer.inOneLine(CommandRenderer.of(op));
        return parts(op).noneMatch(OperationLaws::isByPipeline)
                && !json.contains("\"$$")
                && !json.contains("\"$expr\"");
    }

    private boolean isOneOnOwnDocuments(MongoOp op) {
        if (op instanceof MongoOp.FindOne
                || op instanceof MongoOp.FindMany
                || collection(op).isEmpty()) {
            return true;
        }
        BsonDocument command = CommandRenderer.of(op);
        String format = strategy.format().orElse("none");
        return (command.get("query", command.get("document")) instanceof BsonDocument marked
                        && isMarked(marked, format))
                || isJudgedInside(op, format);
    }

    /** An upsert cannot compare the mark in its pipeline: the document that it begins with has none either. */
    private static boolean isJudgedInside(MongoOp op, String format) {
        return op instanceof MongoOp.FindOneAndUpdate update
                && !update.upsert()
                && update.change() instanceof UpdateSpec.Pipeline pipeline
                && pipeline.stages().stream().allMatch(stage -> comparesMark(stage, format));
    }

    private static boolean comparesMark(BsonValue expression, String format) {
        if (expression instanceof BsonDocument document) {
            return document.entrySet().stream()
                    .anyMatch(field -> isComparison(field.getKey(), field.getValue(), format)
                            || comparesMark(field.getValue(), format));
        }
        return expression.isArray() && expression.asArray().stream().anyMatch(element -> comparesMark(element, format));
    }

    private static boolean isComparison(String operator, BsonValue arguments, String format) {
        return (operator.equals("$eq") || operator.equals("$ne"))
                && arguments.equals(new BsonArray(
                        List.of(new BsonString("$" + FORMAT), new BsonDocument("$literal", new BsonString(format)))));
    }

    private static boolean isEvaluatedInOne(MongoOp op) {
        BsonDocument command = CommandRenderer.of(op);
        return names(command).anyMatch(OperationLaws::isCallers)
                || isEvaluated(command, "projection")
                || isEvaluated(command, "fields")
                || (isByPipeline(op) && isEvaluated(command, "update"))
                || (command.get("query") instanceof BsonDocument query && isEvaluated(query, "$expr"))
                || (command.get("filter") instanceof BsonDocument filter && isEvaluated(filter, "$expr"));
    }

    private static boolean isEvaluated(BsonDocument command, String part) {
        BsonValue value = command.get(part);
        return value != null && strings(value).anyMatch(OperationLaws::isCallers);
    }

    /** All strings in an expression, except those under {@code $literal}. */
    private static Stream<String> strings(BsonValue value) {
        if (value instanceof BsonDocument document) {
            return document.entrySet().stream()
                    .filter(field -> !field.getKey().equals("$literal"))
                    .flatMap(field -> strings(field.getValue()));
        }
        if (value.isArray()) {
            return value.asArray().stream().flatMap(OperationLaws::strings);
        }
        return value.isString() ? Stream.of(value.asString().getValue()) : Stream.of();
    }

    private static Stream<String> names(BsonValue value) {
        if (value instanceof BsonDocument document) {
            return document.entrySet().stream()
                    .flatMap(field -> Stream.concat(Stream.of(field.getKey()), names(field.getValue())));
        }
        return value.isArray() ? value.asArray().stream().flatMap(OperationLaws::names) : Stream.of();
    }

    private static boolean isCallers(String found) {
        return CALLER_STRINGS.stream().anyMatch(found::contains);
    }

    /** Returns the single updates of an update of several documents; any other operation is one part. */
    private static Stream<MongoOp> parts(MongoOp op) {
        return op instanceof MongoOp.BulkUpdate bulk
                ? bulk.updates().stream()
                        .map(update -> new MongoOp.UpdateOne(
                                op.label(), bulk.collection(), update.filter(), update.change(), false))
                : Stream.of(op);
    }

    private static boolean isByPipeline(MongoOp op) {
        if (op instanceof MongoOp.FindOneAndUpdate update) {
            return update.change() instanceof UpdateSpec.Pipeline;
        }
        return op instanceof MongoOp.UpdateOne update && update.change() instanceof UpdateSpec.Pipeline;
    }
}
