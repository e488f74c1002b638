/** Jobs of Spring Batch under a lock. */
package org.mongolocks.spring.batch;
