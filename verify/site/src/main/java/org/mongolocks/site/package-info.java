/** Makes the documentation site of the Markdown files of the project. */
package org.mongolocks.site;
