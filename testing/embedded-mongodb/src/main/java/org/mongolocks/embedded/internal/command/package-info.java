/** The commands: what each takes, does and answers. */
@NullMarked
package org.mongolocks.embedded.internal.command;

import org.jspecify.annotations.NullMarked;
