/** The rules of a lease: its length, renewal, release and loss. */
package org.mongolocks.contract.rules.lease;
