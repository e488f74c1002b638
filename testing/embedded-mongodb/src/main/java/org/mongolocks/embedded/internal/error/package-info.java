/** Error replies of the server: codes, their names, and the exception that carries them. */
@NullMarked
package org.mongolocks.embedded.internal.error;

import org.jspecify.annotations.NullMarked;
