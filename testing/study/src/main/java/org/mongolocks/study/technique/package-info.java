/** The published techniques as in their articles, and the strategies of the library. */
package org.mongolocks.study.technique;
