package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** The operators that mongo-java-server's evaluator computes as MongoDB does, given arguments that are already evaluated. */
final class LibraryOperators {
    static final Map<String, Operator> ALL = Stream.of(
                    "$range",
                    "$setUnion",
                    "$setEquals",
                    "$setIsSubset",
                    "$setIntersection",
                    "$setDifference",
                    "$anyElementTrue",
                    "$allElementsTrue",
                    "$concatArrays",
                    "$reverseArray",
                    "$strLenBytes",
                    "$indexOfBytes",
                    "$exp")
            .collect(Collectors.toUnmodifiableMap(
                    Function.identity(), name -> Operator.variadic(arguments -> call(name, arguments))));

    private static final Document NO_FIELDS = new Document();

    private LibraryOperators() {}

    // The library compares elements of sets byte for byte.
    private static @Nullable Object call(String operator, Arguments arguments) {
        if (operator.startsWith("$set") && arguments.collation() != null) {
            throw new CommandError(
                    ErrorCode.NOT_IMPLEMENTED, operator + " with a collation is not supported by the embedded server");
        }
        return call(operator, literals(arguments));
    }

    /** Evaluates one operator of the library. */
    static @Nullable Object call(String operator, Object arguments) {
        try {
            Object result = de.bwaldvogel.mongo.backend.aggregation.Expression.evaluateDocument(
                    new Document(operator, arguments), NO_FIELDS);
            return result instanceof Collection ? new ArrayList<>((Collection<?>) result) : result;
        } catch (MongoServerError e) {
            throw CommandError.from(e);
        }
    }

    private static List<Document> literals(Arguments arguments) {
        return arguments.values().stream().map(LibraryOperators::literal).collect(Collectors.toList());
    }

    /** A value that the library will not take for a field path or an expression. */
    static Document literal(@Nullable Object value) {
        return new Document("$literal", value);
    }
}
