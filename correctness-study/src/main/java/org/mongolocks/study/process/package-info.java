/**
 * Runs with real processes. The parent ({@code ProcessRun}) is the observer: it owns the resources, records the history
 * and injects faults; each child ({@code Child}) is a JVM with a client of the library. They exchange lines, which
 * {@code Report} and {@code Order} define.
 */
package org.mongolocks.study.process;
