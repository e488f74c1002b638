/**
 * The contract that every lock strategy must keep. A strategy author extends
 * {@link org.mongolocks.contract.LockContract} and inherits its rules, which {@code docs/contract.md} lists.
 */
package org.mongolocks.contract;
