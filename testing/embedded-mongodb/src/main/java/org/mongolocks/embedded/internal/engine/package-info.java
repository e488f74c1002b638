/**
 * The running server: it takes commands, lets those wait that must, and answers. Single-threaded; a caller that uses it from several threads
 * brings a lock.
 */
@NullMarked
package org.mongolocks.embedded.internal.engine;

import org.jspecify.annotations.NullMarked;
