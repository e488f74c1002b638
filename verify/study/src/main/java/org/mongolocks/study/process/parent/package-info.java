/** The parent of a run with real processes: it owns the resources, records the history, and starts and ends the children. */
package org.mongolocks.study.process.parent;
