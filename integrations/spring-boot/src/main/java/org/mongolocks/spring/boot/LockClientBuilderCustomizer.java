package org.mongolocks.spring.boot;

import org.mongolocks.LockClientBuilder;

/**
 * A bean that changes the builder of an auto-configured lock client after the keys of {@link MongoLocksProperties} were
 * applied.
 *
 * <pre>{@code
 * @Bean
 * LockClientBuilderCustomizer tokens(Alarms alarms) {
 *     return builder -> builder.onTokenWentBack((granted, newest) -> alarms.raise("tokens went back", granted.name()));
 * }
 * }</pre>
 *
 * <p>Each bean is called once for each client, the synchronous and the reactive one, in the order of
 * {@link org.springframework.core.annotation.Order}. An observer that it sets replaces the beans of type
 * {@link org.mongolocks.LockObserver}.
 */
@FunctionalInterface
public interface LockClientBuilderCustomizer {
    /**
     * Changes the builder. Called on the thread that creates the client, before any command is sent.
     *
     * @param builder the builder of one client; it is not to be kept. An exception ends the start of the application.
     */
    void customize(LockClientBuilder<?> builder);
}
