/**
 * Auto-configuration of the lock clients for Spring Boot: {@link org.mongolocks.spring.boot.MongoLocksProperties} has
 * the keys, and {@link org.mongolocks.spring.boot.LockClientBuilderCustomizer} sets what no key does.
 */
package org.mongolocks.spring.boot;
