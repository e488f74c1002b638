/**
 * The stored data as immutable values: records, collections, the catalog. An edit gives a new catalog that shares all but a few
 * nodes with the old one, so that a snapshot costs nothing and a roll-back is an assignment.
 */
@NullMarked
package org.mongolocks.embedded.internal.storage;

import org.jspecify.annotations.NullMarked;
