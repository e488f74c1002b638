/** Scenarios by techniques, and what was found. */
package org.mongolocks.study.matrix;
