/**
 * An in-JVM MongoDB for tests, demos and simulation.
 *
 * <p>{@link org.mongolocks.embedded.EmbeddedMongo} is a server that any MongoDB driver can talk to;
 * {@link org.mongolocks.embedded.MongoEngine} is the same server without a network and without threads, for simulators. Both answer as
 * MongoDB does, 4.4 if no other version is asked for, and refuse what they do not support. With a {@link org.mongolocks.embedded.MovableClock} a test decides what time it is.
 *
 * <p>The packages below use each other in one direction: program, this package, {@code wire}, {@code command} (with {@code admin},
 * {@code change}, {@code write}), {@code engine} (with {@code state}, {@code cursor}, {@code plan}), {@code work}, {@code storage} (with
 * {@code session}, {@code oplog}), {@code index}, {@code update}, {@code pipeline}, {@code query}, {@code expression}, {@code bson}.
 */
@NullMarked
package org.mongolocks.embedded;

import org.jspecify.annotations.NullMarked;
