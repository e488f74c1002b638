/** Checks of a deployment, each for promises of docs/guarantees.md, and the types that they share. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.doctor.check;
