/** Cursors: results that are returned in batches. */
@NullMarked
package org.mongolocks.embedded.internal.cursor;

import org.jspecify.annotations.NullMarked;
