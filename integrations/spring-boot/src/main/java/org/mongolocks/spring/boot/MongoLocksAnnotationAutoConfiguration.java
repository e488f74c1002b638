package org.mongolocks.spring.boot;

import org.aopalliance.aop.Advice;
import org.mongolocks.spring.EnableLocked;
import org.mongolocks.spring.LockedConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;

/**
 * Auto-configuration of {@link org.mongolocks.spring.Locked}, where {@code mongo-locks-spring} is on the class path and
 * the context has no {@link EnableLocked} of its own: one of a
 * parent does not apply to it. It does not depend on a lock client: an annotated bean without one must end the start, and
 * not run without its lock.
 */
@AutoConfiguration(after = {MongoLocksAutoConfiguration.class, MongoLocksReactiveAutoConfiguration.class})
@ConditionalOnClass({EnableLocked.class, Advice.class})
@ConditionalOnMissingBean(value = LockedConfiguration.class, search = SearchStrategy.CURRENT)
@EnableLocked
public final class MongoLocksAnnotationAutoConfiguration {
    /** Created by Spring. */
    MongoLocksAnnotationAutoConfiguration() {}
}
