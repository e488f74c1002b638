/** The rules of faults: lost replies, failed and late commands. */
package org.mongolocks.contract.rules.fault;
