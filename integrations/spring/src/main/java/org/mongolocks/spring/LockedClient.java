package org.mongolocks.spring;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * The client of a method under {@link Locked}: the bean that the annotation names, or else the only or primary one of
 * the nearest context that has any. It looks in the context of the annotated bean, then in its ancestors.
 *
 * @param beans the beans of the context of the annotated bean
 * @param name the name of the client's bean; empty for the only or primary one
 * @param type the name of the client's class, which an application with the other client does not have
 * @param method the annotated method, for messages
 */
record LockedClient(ConfigurableListableBeanFactory beans, String name, String type, String method) {

    /**
     * Returns the client.
     *
     * @throws IllegalStateException if there is no such bean, or several
     */
    <C> C get(Class<C> client) {
        try {
            return name.isEmpty() ? beans.getBean(client) : beans.getBean(name, client);
        } catch (BeansException e) {
            throw new IllegalStateException(method + " has no client: " + e.getMessage(), e);
        }
    }

    /**
     * Checks that there is one client, and creates none that is lazy.
     *
     * @return the client, if it is a singleton that exists already
     * @throws IllegalStateException if there is no such bean, or several
     */
    Optional<Object> require() {
        Class<?> client = clientType();
        List<String> found = name.isEmpty() ? candidates(beans, client) : named(client);
        if (found.isEmpty()) {
            throw new IllegalStateException(method + " needs a bean of type " + type
                    + (name.isEmpty() ? "" : " with the name '" + name + "'") + ", and there is none");
        }
        // Spring decides among several, or says that it cannot.
        return found.size() > 1 ? Optional.of(get(client)) : existing(beans, found.get(0), client);
    }

    private Class<?> clientType() {
        try {
            return ClassUtils.forName(type, beans.getBeanClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(method + " needs " + type + ", which is not on the class path", e);
        }
    }

    private List<String> named(Class<?> client) {
        return beans.containsBean(name) && beans.isTypeMatch(name, client) ? List.of(name) : List.of();
    }

    private static List<String> candidates(ConfigurableListableBeanFactory beans, Class<?> client) {
        List<String> found = Arrays.asList(beans.getBeanNamesForType(client, true, false));
        if (found.isEmpty()) {
            return parent(beans).map(parent -> candidates(parent, client)).orElse(found);
        }
        List<String> primary = found.stream()
                .filter(beans::containsBeanDefinition)
                .filter(bean -> beans.getMergedBeanDefinition(bean).isPrimary())
                .toList();
        return primary.isEmpty() ? found : primary;
    }

    private static Optional<Object> existing(ConfigurableListableBeanFactory beans, String bean, Class<?> client) {
        return beans.containsLocalBean(bean)
                ? Optional.ofNullable(beans.getSingleton(bean)).filter(client::isInstance)
                : parent(beans).flatMap(parent -> existing(parent, bean, client));
    }

    /** Returns the beans of the parent context. */
    static Optional<ConfigurableListableBeanFactory> parent(ConfigurableListableBeanFactory beans) {
        return beans.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent
                ? Optional.of(parent)
                : Optional.empty();
    }
}
