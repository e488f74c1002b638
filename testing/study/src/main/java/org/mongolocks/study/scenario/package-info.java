/** The faults: the rows of the matrix. */
package org.mongolocks.study.scenario;
