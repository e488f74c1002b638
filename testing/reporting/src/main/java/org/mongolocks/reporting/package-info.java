/** What this project's programs share: their pages, charts, JSON and command-line options. */
package org.mongolocks.reporting;
