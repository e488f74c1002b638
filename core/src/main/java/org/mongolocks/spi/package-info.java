/**
 * The service provider interface of lock strategies. A {@link org.mongolocks.spi.LockStrategy} returns
 * {@link org.mongolocks.spi.Step programs} over {@link org.mongolocks.spi.MongoOp}, and decides what each
 * {@link org.mongolocks.spi.Reply} means. It does no I/O, reads no clock and keeps no state; runners on the synchronous
 * and on the reactive driver execute it.
 */
package org.mongolocks.spi;
