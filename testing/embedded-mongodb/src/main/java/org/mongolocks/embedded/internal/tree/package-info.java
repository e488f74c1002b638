/** Sorted maps that never change: each edit gives a new map that shares all but one path with the old one. */
@NullMarked
package org.mongolocks.embedded.internal.tree;

import org.jspecify.annotations.NullMarked;
