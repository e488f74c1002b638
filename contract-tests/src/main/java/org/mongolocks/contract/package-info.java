/**
 * The contract that every lock strategy keeps. A strategy author extends {@link org.mongolocks.contract.LockContract}
 * and inherits its rules, which {@code docs/contract.md} lists with their reasons.
 */
package org.mongolocks.contract;
