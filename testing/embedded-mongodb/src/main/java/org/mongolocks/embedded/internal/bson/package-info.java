/**
 * BSON values as mongo-java-server holds them: kinds, order, equality, arithmetic, sizes and texts.
 *
 * <p>A value is a Java object of the library's choice ({@code Integer}, {@code Instant}, {@code Document}, {@code List}, …), a BSON null is
 * {@code null} and a field that is not there is {@link org.mongolocks.embedded.internal.bson.Absence#MISSING}. Documents and lists are
 * never changed once they are shared: an edit copies the changed parts and keeps the rest.
 *
 * <p>The library's own comparator and number classes are not used: they order strings by UTF-16 unit, compare long and double through
 * double, and cut a decimal to an int.
 */
@NullMarked
package org.mongolocks.embedded.internal.bson;

import org.jspecify.annotations.NullMarked;
