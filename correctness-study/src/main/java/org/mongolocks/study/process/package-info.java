/**
 * Runs with real processes. The parent ({@code ProcessRun}) is the observer: it owns the resources, writes the history and
 * makes things go wrong; each child ({@code Child}) is a JVM with a client of the library. They talk in lines, which
 * {@code Report} and {@code Order} describe.
 */
package org.mongolocks.study.process;
