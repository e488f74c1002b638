/**
 * An in-JVM MongoDB for tests, demos and simulation.
 *
 * <p>{@link org.mongolocks.embedded.EmbeddedMongo} is a server that any MongoDB driver can talk to;
 * {@link org.mongolocks.embedded.MongoEngine} is the same server without a network and without threads, for simulators. Both answer as
 * MongoDB 4.4 does, and refuse what they do not support. With a {@link org.mongolocks.embedded.MovableClock} a test decides what time it is.
 */
@NullMarked
package org.mongolocks.embedded;

import org.jspecify.annotations.NullMarked;
