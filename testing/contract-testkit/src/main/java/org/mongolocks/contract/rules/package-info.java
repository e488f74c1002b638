/** The contexts that the rules of the contract need; the rules are in the packages below, by subject. */
package org.mongolocks.contract.rules;
