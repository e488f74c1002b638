/** The program behind {@code ./doctor}: {@link org.mongolocks.doctor.Doctor} is the entry point. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.doctor;
