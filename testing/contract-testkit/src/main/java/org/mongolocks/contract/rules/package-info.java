/** The rules of the contract by subject, and the context that they need. */
package org.mongolocks.contract.rules;
