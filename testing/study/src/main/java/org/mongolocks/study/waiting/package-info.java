/** The cost of waiting with many clients and many locks, measured in the simulation. */
package org.mongolocks.study.waiting;
