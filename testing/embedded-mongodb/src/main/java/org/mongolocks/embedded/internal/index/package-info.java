/** Indexes: their options, the keys of a document, and the entries of an index. */
@NullMarked
package org.mongolocks.embedded.internal.index;

import org.jspecify.annotations.NullMarked;
