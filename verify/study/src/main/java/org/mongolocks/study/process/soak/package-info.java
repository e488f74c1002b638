/** A long run of many client processes under random faults, checked continuously, and for leaks at its end. */
package org.mongolocks.study.process.soak;
