/** The statements of write commands: their effect on the data, and its record. */
@NullMarked
package org.mongolocks.embedded.internal.write;

import org.jspecify.annotations.NullMarked;
