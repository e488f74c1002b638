/** The program behind {@code ./doctor}: {@link org.mongolocks.doctor.Doctor} is where to begin. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.doctor;
