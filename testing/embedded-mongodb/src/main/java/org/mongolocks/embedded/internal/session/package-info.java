/** Sessions: what was written once and must not be written again, and the transaction that is open. */
@NullMarked
package org.mongolocks.embedded.internal.session;

import org.jspecify.annotations.NullMarked;
