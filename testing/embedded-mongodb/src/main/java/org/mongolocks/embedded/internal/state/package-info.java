/** The state of a running server beside its data: its configuration and parameters, its clients, sessions and transactions. */
@NullMarked
package org.mongolocks.embedded.internal.state;

import org.jspecify.annotations.NullMarked;
