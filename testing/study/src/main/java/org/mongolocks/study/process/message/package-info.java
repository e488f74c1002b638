/** The lines that parent and children exchange. */
package org.mongolocks.study.process.message;
