/** The commands about the server itself, its sessions and its replica set. */
@NullMarked
package org.mongolocks.embedded.internal.admin;

import org.jspecify.annotations.NullMarked;
