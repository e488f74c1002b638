/** The history of a run, as an observer sees it. */
package org.mongolocks.study.history;
