/**
 * A long run of many clients under random faults: what no single rule of the contract would find.
 *
 * <p>Downward: {@code Soak} reads arguments, {@code SoakRun} starts parties and weather, a {@code Worker} holds locks, a
 * {@code Ledger} judges what was held, {@code Findings} counts.
 */
@org.jspecify.annotations.NullMarked
package org.mongolocks.contract.soak;
