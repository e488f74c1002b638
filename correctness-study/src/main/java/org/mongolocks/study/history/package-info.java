/** What an observer saw of a run. */
package org.mongolocks.study.history;
