/** A child of a run with real processes: a JVM with clients of the library, which work and report to the parent. */
package org.mongolocks.study.process.child;
