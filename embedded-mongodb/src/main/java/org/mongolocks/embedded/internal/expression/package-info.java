/**
 * Aggregation expressions: parsed once, then evaluated against documents.
 *
 * <p>mongo-java-server's evaluator is used for the functions of values that agree with MongoDB: sets, dates, {@code $range}, {@code $split}
 * and the like, listed in {@link org.mongolocks.embedded.internal.expression.LibraryOperators}. They get their arguments already evaluated,
 * as literals. The rest is our own, because the library evaluates a string that a variable holds as if it were an expression, leaves arrays
 * unevaluated, reads {@code $$NOW} from the system clock, computes in doubles where MongoDB keeps int and long, and finds mistakes only
 * when a document comes by.
 */
@NullMarked
package org.mongolocks.embedded.internal.expression;

import org.jspecify.annotations.NullMarked;
