/** What a parent records of its children: their events, the resources, and failures of the run. */
package org.mongolocks.study.process.observer;
