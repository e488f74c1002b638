/** Counter-examples: the events and commands of a run that show a violation, as text. */
package org.mongolocks.study.example;
