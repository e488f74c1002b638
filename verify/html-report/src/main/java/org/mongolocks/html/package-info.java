/** Elements of HTML and SVG, for the reports of this project. */
package org.mongolocks.html;
