/** Projections: the fields that find, {@code $project} and {@code $addFields} keep, drop or compute. */
@NullMarked
package org.mongolocks.embedded.internal.projection;

import org.jspecify.annotations.NullMarked;
