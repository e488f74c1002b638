/**
 * Locks around methods of Spring beans: {@link org.mongolocks.spring.Locked}, switched on by
 * {@link org.mongolocks.spring.EnableLocked}.
 */
package org.mongolocks.spring;
