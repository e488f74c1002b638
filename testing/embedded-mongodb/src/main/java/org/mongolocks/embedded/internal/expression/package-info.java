/**
 * Aggregation expressions: parsed once, then evaluated against documents. The operators are those that locks and their tests use.
 *
 * <p>mongo-java-server's evaluator is not used, because it evaluates a string that a variable holds as if it were an expression, leaves
 * arrays unevaluated, reads {@code $$NOW} from the system clock, computes in doubles where MongoDB keeps int and long, and finds mistakes
 * only when a document comes by.
 */
@NullMarked
package org.mongolocks.embedded.internal.expression;

import org.jspecify.annotations.NullMarked;
