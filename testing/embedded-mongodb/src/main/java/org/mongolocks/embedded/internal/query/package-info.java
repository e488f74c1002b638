/**
 * Query filters: parsed once into conditions, then tested against documents.
 *
 * <p>mongo-java-server's own matcher is not used. It reads the filter again for each document, so that a bad filter over an empty
 * collection passes unnoticed; it compares across type brackets; and it walks arrays differently from MongoDB. Regular expressions, which it
 * gets right, are matched by its {@code BsonRegularExpression}.
 */
@NullMarked
package org.mongolocks.embedded.internal.query;

import org.jspecify.annotations.NullMarked;
