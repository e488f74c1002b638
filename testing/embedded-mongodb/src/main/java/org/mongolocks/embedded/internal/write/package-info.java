/** The statements of write commands: what each does to the data, and what is remembered of it. */
@NullMarked
package org.mongolocks.embedded.internal.write;

import org.jspecify.annotations.NullMarked;
