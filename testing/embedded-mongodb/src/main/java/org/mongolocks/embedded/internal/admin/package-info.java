/** The commands about the server itself, its sessions, its replica set and its shards. */
@NullMarked
package org.mongolocks.embedded.internal.admin;

import org.jspecify.annotations.NullMarked;
