/**
 * Writing: directly, or in a transaction. Here it is decided who may write what when others have uncommitted writes.
 */
@NullMarked
package org.mongolocks.embedded.internal.work;

import org.jspecify.annotations.NullMarked;
