/** The checks of histories. */
package org.mongolocks.study.check;
