/** The rules of the contract, by subject, and the contexts that they need. */
package org.mongolocks.contract.rules;
