/** Clients of a run of the contract: on either driver, with faults, with few privileges. */
package org.mongolocks.contract.adapter;
