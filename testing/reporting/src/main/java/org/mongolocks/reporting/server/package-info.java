/** The server that a program works on, its description, and errors without secrets. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.reporting.server;
