/** The study as files, for readers and for programs. */
package org.mongolocks.study.report;
