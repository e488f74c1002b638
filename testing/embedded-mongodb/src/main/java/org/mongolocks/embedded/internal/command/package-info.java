/** The commands: their fields, effects and replies. */
@NullMarked
package org.mongolocks.embedded.internal.command;

import org.jspecify.annotations.NullMarked;
