package org.mongolocks.spring.boot;

import com.mongodb.MongoNamespace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockEvent;
import org.mongolocks.LockObserver;
import org.mongolocks.Owner;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.TaskScheduler;

/**
 * The decisions that the builders of both clients have in common: strategy, driver's client, database, keys, observers
 * and customizers. The strategy is chosen when this is created, so that a wrong name shows at start-up also where the
 * clients are built lazily.
 */
final class LockClientFactory {
    private static final String PREFIX = "mongo-locks.";
    /** A random UUID and a separator are appended. */
    private static final int MAX_APPLICATION_LENGTH = Owner.MAX_INSTANCE_LENGTH - 37;

    private final MongoLocksProperties properties;
    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final LockStrategy strategy;

    LockClientFactory(MongoLocksProperties properties, ConfigurableListableBeanFactory beans, Environment environment) {
        this.properties = properties;
        this.beans = beans;
        this.environment = environment;
        this.strategy = chooseStrategy();
    }

    /**
     * The driver's client and the database of a lock client.
     *
     * @param mongo the driver's client
     * @param database the name of the database
     * @param <M> the type of the driver's client
     */
    record Target<M>(M mongo, String database) {}

    /**
     * The driver's client that a lock client is to use.
     *
     * @param type its type
     * @param key the key that names its bean
     * @param name the value of the key, null if it is not set
     * @param ofSpringBoot the name of the bean that Spring Boot configures
     * @param <M> its type
     */
    record Wanted<M>(Class<M> type, String key, @Nullable String name, String ofSpringBoot) {}

    /**
     * Finds the driver's client for the bean of a lock client. The latter is closed before it, and after the schedulers
     * and executors, whose work may need locks.
     */
    <M> Target<M> target(Wanted<M> wanted, String client) {
        NamedBeanHolder<M> found = wanted.name() == null ? onlyClient(wanted) : namedClient(wanted, wanted.name());
        beans.registerDependentBean(found.getBeanName(), client);
        Stream.of(TaskScheduler.class, Executor.class)
                .flatMap(type -> Stream.of(beans.getBeanNamesForType(type, true, false)))
                .filter(executor -> !needs(found.getBeanName(), executor, new HashSet<>()))
                .forEach(executor -> beans.registerDependentBean(client, executor));
        return new Target<>(
                found.getBeanInstance(), database(found.getBeanName().equals(wanted.ofSpringBoot())));
    }

    /** Returns whether a bean depends on another one, which then has to be destroyed after it. */
    private boolean needs(String bean, String other, Set<String> visited) {
        return bean.equals(other)
                || (visited.add(bean)
                        && Stream.of(beans.getDependenciesForBean(bean)).anyMatch(used -> needs(used, other, visited)));
    }

    /** Applies the keys, then the observers, then the customizers; the client is named as its bean. */
    <C> LockClientBuilder<C> configure(LockClientBuilder<C> builder, String client) {
        builder.strategy(strategy).instance(instance());
        apply("collection", properties.collection(), builder::collection);
        apply("default-ttl", properties.defaultTtl(), builder::defaultTtl);
        apply("default-wait", properties.defaultWait(), builder::defaultWait);
        apply("command-timeout", properties.commandTimeout(), builder::commandTimeout);
        apply("skew-margin", properties.skewMargin(), builder::skewMargin);
        apply("schema", properties.schema(), builder::schema);
        apply("instance", properties.instance(), builder::instance);
        apply("drain-timeout", properties.drainTimeout(), builder::drainTimeout);
        apply("close-timeout", properties.closeTimeout(), builder::closeTimeout);
        apply("polling", properties.polling(), polling -> builder.polling(polling.first(), polling.cap()));
        if (!properties.holderInfo()) {
            builder.holderInfo(HolderInfo::none);
        }
        observe(builder, client);
        beans.getBeanProvider(LockClientBuilderCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(builder));
        return builder;
    }

    private void observe(LockClientBuilder<?> builder, String client) {
        List<LockObserver> observers = new ArrayList<>();
        beans.getBeanProvider(ClientMeters.class).ifAvailable(meters -> observers.add(meters.observe(builder, client)));
        beans.getBeanProvider(LockObserver.class).orderedStream().forEach(observers::add);
        if (!observers.isEmpty()) {
            builder.observer(new AllObservers(List.copyOf(observers)));
        }
    }

    private static <V> void apply(String key, @Nullable V value, Consumer<V> setting) {
        if (value == null) {
            return;
        }
        try {
            setting.accept(value);
        } catch (IllegalArgumentException e) {
            throw new LockConfigurationException(
                    "Invalid value of " + PREFIX + key + ": " + e.getMessage(), "Change the value of " + PREFIX + key);
        }
    }

    private LockStrategy chooseStrategy() {
        List<LockStrategy> declared =
                beans.getBeanProvider(LockStrategy.class).orderedStream().toList();
        String name = properties.strategy();
        if (name != null) {
            return named(name, declared);
        }
        LockStrategy only = beans.getBeanProvider(LockStrategy.class).getIfUnique();
        return only == null ? defaultOf(declared.isEmpty() ? LockStrategies.all() : declared) : only;
    }

    private static LockStrategy named(String name, List<LockStrategy> declared) {
        for (LockStrategy strategy : declared) {
            if (strategy.name().equals(name)) {
                return strategy;
            }
        }
        List<LockStrategy> present = LockStrategies.all();
        for (LockStrategy strategy : present) {
            if (strategy.name().equals(name)) {
                return strategy;
            }
        }
        throw new LockConfigurationException(
                "No lock strategy is named '" + name + "'. Found: " + names(declared) + " as beans, " + names(present)
                        + " on the class path",
                "Set mongo-locks.strategy to one of these, or add the artifact of the strategy, for those of this project"
                        + " org.mongolocks:mongo-locks-strategy-<name>");
    }

    private static LockStrategy defaultOf(List<LockStrategy> found) {
        try {
            return LockStrategies.defaultOf(found);
        } catch (IllegalStateException e) {
            throw new LockConfigurationException(
                    Objects.requireNonNullElse(e.getMessage(), e.toString()),
                    "Set mongo-locks.strategy to one of these, or add the dependency"
                            + " org.mongolocks:mongo-locks-strategy-findandmodify-counter");
        }
    }

    private static List<String> names(List<LockStrategy> strategies) {
        return strategies.stream().map(LockStrategy::name).toList();
    }

    private <M> NamedBeanHolder<M> onlyClient(Wanted<M> wanted) {
        try {
            return beans.resolveNamedBean(wanted.type());
        } catch (NoUniqueBeanDefinitionException e) {
            throw new LockConfigurationException(
                    "A lock client needs one " + wanted.type().getName() + ", and there are several beans: "
                            + clientNames(wanted),
                    "Set " + wanted.key() + " to the name of one of these beans, or mark one as @Primary");
        }
    }

    private <M> NamedBeanHolder<M> namedClient(Wanted<M> wanted, String name) {
        List<String> present = clientNames(wanted);
        if (!present.contains(name)) {
            throw new LockConfigurationException(
                    wanted.key() + " names the bean '" + name + "', which is no "
                            + wanted.type().getName() + ". Found: " + present,
                    "Set " + wanted.key() + " to the name of one of these beans");
        }
        return new NamedBeanHolder<>(name, beans.getBean(name, wanted.type()));
    }

    private List<String> clientNames(Wanted<?> wanted) {
        return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, wanted.type()));
    }

    /** The connection details belong to the client that Spring Boot configures, and to no other. */
    private String database(boolean isOfSpringBoot) {
        String configured = properties.database();
        String found = configured == null && isOfSpringBoot ? databaseOfTheConnection() : configured;
        if (found == null) {
            throw new LockConfigurationException(
                    isOfSpringBoot
                            ? "The connection to MongoDB names no database for the locks"
                            : "The MongoClient bean of the application names no database for the locks",
                    "Set mongo-locks.database");
        }
        apply("database", found, MongoNamespace::checkDatabaseNameValidity);
        return found;
    }

    private @Nullable String databaseOfTheConnection() {
        String overriding = environment.getProperty("spring.mongodb.database");
        ConnectionDatabase connection =
                beans.getBeanProvider(ConnectionDatabase.class).getIfAvailable();
        return overriding != null || connection == null ? overriding : connection.name();
    }

    private String instance() {
        String application = environment.getProperty("spring.application.name", "");
        String allowed = application.replaceAll("[^A-Za-z0-9._:-]", "-");
        String name = allowed.substring(0, Math.min(allowed.length(), MAX_APPLICATION_LENGTH));
        return name.isEmpty() ? UUID.randomUUID().toString() : name + ":" + UUID.randomUUID();
    }

    /** The database that the connection of the application names. */
    @FunctionalInterface
    interface ConnectionDatabase {
        @Nullable
        String name();
    }

    /** The meters of the clients, where the application has a registry. */
    @FunctionalInterface
    interface ClientMeters {
        /** Sets the listeners of one client, and returns its observer. */
        LockObserver observe(LockClientBuilder<?> builder, String client);
    }

    /**
     * Observers as one.
     *
     * @param observers the observers, in order
     */
    private record AllObservers(List<LockObserver> observers) implements LockObserver {
        /** Calls each, also after an exception of an earlier one. */
        @Override
        public void onEvent(LockEvent event) {
            RuntimeException failure = null;
            for (LockObserver observer : observers) {
                try {
                    observer.onEvent(event);
                } catch (RuntimeException e) {
                    if (failure == null) {
                        failure = e;
                    } else {
                        failure.addSuppressed(e);
                    }
                }
            }
            if (failure != null) {
                throw failure;
            }
        }
    }
}
