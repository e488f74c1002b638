/** Cursors: results that are handed out in batches. */
@NullMarked
package org.mongolocks.embedded.internal.cursor;

import org.jspecify.annotations.NullMarked;
