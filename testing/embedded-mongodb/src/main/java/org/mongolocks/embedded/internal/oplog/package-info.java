/** The log of all changes, which change streams read: entries, their timestamps, and a bound on how many are kept. */
@NullMarked
package org.mongolocks.embedded.internal.oplog;

import org.jspecify.annotations.NullMarked;
