/** Routes of Apache Camel that run on one instance at a time. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.camel;
