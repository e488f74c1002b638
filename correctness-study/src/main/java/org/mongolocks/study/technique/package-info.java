/** The published techniques as their articles have them, and the strategies that ship. */
package org.mongolocks.study.technique;
