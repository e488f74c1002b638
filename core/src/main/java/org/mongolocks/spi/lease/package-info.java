/**
 * A skeleton for strategies that store each lock in one document:
 * {@link org.mongolocks.spi.lease.LeaseDocumentStrategy} has every program but the acquisition, and
 * {@link org.mongolocks.spi.lease.LeaseDocument} the filters and updates of its commands.
 */
package org.mongolocks.spi.lease;
