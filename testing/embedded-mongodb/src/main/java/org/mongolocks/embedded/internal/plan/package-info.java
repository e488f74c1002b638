/**
 * How a query finds its records: by {@code _id}, through an index, or through the whole collection, in the order in which MongoDB would.
 */
@NullMarked
package org.mongolocks.embedded.internal.plan;

import org.jspecify.annotations.NullMarked;
