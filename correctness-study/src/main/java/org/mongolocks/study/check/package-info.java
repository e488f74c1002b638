/** Judges histories. */
package org.mongolocks.study.check;
