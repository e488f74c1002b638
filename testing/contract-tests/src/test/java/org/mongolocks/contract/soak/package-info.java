/**
 * A long run of many clients under random faults, which finds violations that no single rule of the contract finds.
 *
 * <p>Dependencies point downward: {@code Soak} reads arguments, {@code SoakRun} starts parties and faults, a
 * {@code Worker} holds locks, a {@code Ledger} checks what was held, {@code Findings} counts.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.contract.soak;
