/** Checks of a deployment, each for promises of docs/guarantees.md, and what they need to look and to write. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.doctor.check;
