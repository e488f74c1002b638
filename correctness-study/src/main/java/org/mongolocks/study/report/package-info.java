/** The study as files, for people and for programs. */
package org.mongolocks.study.report;
