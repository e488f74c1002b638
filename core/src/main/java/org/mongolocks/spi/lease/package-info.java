/**
 * A skeleton for strategies that store each lock in one document:
 * {@link org.mongolocks.spi.lease.LeaseDocumentStrategy} has every program but the acquisition, and
 * {@link org.mongolocks.spi.lease.LeaseDocument} the filters of its commands,
 * {@link org.mongolocks.spi.lease.LeaseUpdates} the updates; {@link org.mongolocks.spi.lease.LeaseReader} reads the
 * documents.
 */
package org.mongolocks.spi.lease;
