/** Change streams: the oplog as events. */
@NullMarked
package org.mongolocks.embedded.internal.change;

import org.jspecify.annotations.NullMarked;
