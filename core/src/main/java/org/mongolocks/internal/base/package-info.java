/**
 * What the API and the engine share, and what depends on neither. Internal: not exported to users, may change at any time.
 */
package org.mongolocks.internal.base;
