/**
 * Updates: operators, replacements and pipelines, parsed once and applied to documents without changing them.
 *
 * <p>Operators become a tree of paths, as in MongoDB: that is where conflicts between paths show, and why new fields appear in the order of
 * their names.
 */
@NullMarked
package org.mongolocks.embedded.internal.update;

import org.jspecify.annotations.NullMarked;
