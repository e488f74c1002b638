/** Scenarios by techniques, with their findings. */
package org.mongolocks.study.matrix;
