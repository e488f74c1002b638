/** Sessions: writes that must not be repeated, and the open transaction. */
@NullMarked
package org.mongolocks.embedded.internal.session;

import org.jspecify.annotations.NullMarked;
