package org.mongolocks.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * Switches on {@link Locked} for the beans of an application context, but not for those of its parent or children. The
 * context or an ancestor needs a bean of type {@code LockClient}, or for methods that return a publisher
 * {@code ReactiveLockClient}; it does not start if an annotated bean finds none, or if a parent has annotated beans and no
 * {@code EnableLocked} of its own. Nor does a context that is started later below the same root. Without any
 * {@code EnableLocked}, Spring Boot refuses a context with annotated beans and a client, and warns of one without a client;
 * plain Spring notices nothing: guard there with {@link CurrentLock#get()}.
 *
 * <pre>{@code
 * @Configuration
 * @EnableLocked
 * class Locking {
 *     @Bean
 *     LockClient locks(MongoClient mongo) {
 *         return LockClient.create(mongo, "app");
 *     }
 * }
 * }</pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import({LockedConfiguration.class, LockedConfiguration.ClassProxyRegistrar.class})
public @interface EnableLocked {
    /**
     * The default order: outside of {@code @Transactional} and {@code @Cacheable} with their default order, which is
     * {@link Ordered#LOWEST_PRECEDENCE}.
     */
    int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    /**
     * The order of the lock among the advisors of a bean. A smaller number runs outside. It must be less than the order
     * of the transaction advisor: the lock then outlasts the commit.
     *
     * @return the order
     */
    int order() default DEFAULT_ORDER;

    /**
     * Whether to proxy classes instead of interfaces, for all beans of the context, as for
     * {@code @EnableTransactionManagement}.
     *
     * @return true for proxies that extend the class of the bean
     */
    boolean proxyTargetClass() default false;
}
