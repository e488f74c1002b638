/** The settings of a client, and the builder of both clients. Internal: may change at any time. */
package org.mongolocks.internal.settings;
