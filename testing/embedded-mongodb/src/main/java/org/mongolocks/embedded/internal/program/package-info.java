/** The server as a program of its own. */
@NullMarked
package org.mongolocks.embedded.internal.program;

import org.jspecify.annotations.NullMarked;
