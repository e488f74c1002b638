package org.mongolocks.spring;

import static java.lang.System.Logger.Level.WARNING;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractAdvisorAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.util.ClassUtils;

/**
 * The check that annotated beans are proxied. A context has proxies of its own: an {@link EnableLocked} of its parent or
 * child does not apply to it, and its methods would run without their locks, silently.
 *
 * <p>It listens to the start of contexts: where Spring Boot registers it, to each of an application; where a
 * {@link LockedAdvisor} does, to all below the root of its context.
 */
final class LockedContexts implements ApplicationListener<ContextRefreshedEvent> {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    LockedContexts() {}

    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        if (refreshed.getApplicationContext().getAutowireCapableBeanFactory()
                instanceof ConfigurableListableBeanFactory started) {
            check(started);
        }
    }

    /** Refuses a context that has annotated beans and no proxies, or warns if no client could lock them either. */
    static void check(ConfigurableListableBeanFactory beans) {
        if (hasClientOrAdvisor(beans)) {
            requireProxies(beans);
        } else {
            unlocked(beans).ifPresent(problem -> LOG.log(WARNING, problem));
        }
    }

    private static boolean hasClientOrAdvisor(ConfigurableListableBeanFactory beans) {
        return Stream.concat(
                        Stream.of(LockedAdvisor.class.getName()),
                        Arrays.stream(MethodKind.values()).map(MethodKind::clientType))
                .filter(type -> ClassUtils.isPresent(type, beans.getBeanClassLoader()))
                .map(type -> ClassUtils.resolveClassName(type, beans.getBeanClassLoader()))
                .anyMatch(type ->
                        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false).length > 0);
    }

    /** Refuses ancestors of a context that have annotated beans and do not apply the annotation. */
    static void requireProxiesOfAncestors(ConfigurableListableBeanFactory beans) {
        LockedClient.parent(beans).ifPresent(parent -> {
            requireProxies(parent);
            requireProxiesOfAncestors(parent);
        });
    }

    /**
     * Refuses a context that has annotated beans and does not apply the annotation.
     *
     * @throws IllegalStateException if there is such a bean; the message names it
     */
    static void requireProxies(ConfigurableListableBeanFactory beans) {
        unlocked(beans).ifPresent(problem -> {
            throw new IllegalStateException(problem);
        });
    }

    private static Optional<String> unlocked(ConfigurableListableBeanFactory beans) {
        if (hasProxies(beans)) {
            return Optional.empty();
        }
        return Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> Optional.ofNullable(beans.getType(name, false))
                        .filter(type -> !LockedMethod.annotated(type).isEmpty())
                        .isPresent())
                .findFirst()
                .map(name ->
                        "Bean '" + name + "' of " + beans.getType(name, false) + " has methods under @Locked, which"
                                + " would run without their locks: its application context has no @EnableLocked. That of a"
                                + " parent or child context does not apply to it");
    }

    /** Most creators of proxies take the advisors of the ancestors too. */
    private static boolean hasProxies(ConfigurableListableBeanFactory beans) {
        return beans.getBeanNamesForType(LockedAdvisor.class, true, false).length > 0
                || (takesAdvisorsOfAncestors(beans)
                        && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockedAdvisor.class, true, false)
                                        .length
                                > 0);
    }

    private static boolean takesAdvisorsOfAncestors(ConfigurableListableBeanFactory beans) {
        return beans instanceof AbstractBeanFactory factory
                && factory.getBeanPostProcessors().stream()
                        .anyMatch(processor -> processor instanceof AbstractAdvisorAutoProxyCreator
                                && !(processor instanceof InfrastructureAdvisorAutoProxyCreator));
    }

    /**
     * Lets the clients of a context be destroyed after its annotated beans, whose schedules end with them, and after its
     * schedulers and executors: all of them need locks, and Spring does not know that they depend on a client.
     */
    static void closeClientsLast(ConfigurableListableBeanFactory beans) {
        List<String> users = Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> usesLocks(targetClass(beans, name)))
                .toList();
        Arrays.stream(MethodKind.values())
                .map(MethodKind::clientType)
                .filter(type -> ClassUtils.isPresent(type, beans.getBeanClassLoader()))
                .map(type -> ClassUtils.resolveClassName(type, beans.getBeanClassLoader()))
                .flatMap(type -> Arrays.stream(beans.getBeanNamesForType(type, true, false)))
                .distinct()
                .forEach(client -> users.stream()
                        .filter(user -> !needs(client, user, beans, new HashSet<>()))
                        .forEach(user -> beans.registerDependentBean(client, user)));
    }

    /** Returns whether a bean depends on another one, which then has to be destroyed after it. */
    private static boolean needs(
            String bean, String other, ConfigurableListableBeanFactory beans, Set<String> visited) {
        return bean.equals(other)
                || (visited.add(bean)
                        && Stream.of(beans.getDependenciesForBean(bean))
                                .anyMatch(used -> needs(used, other, beans, visited)));
    }

    private static @Nullable Class<?> targetClass(ConfigurableListableBeanFactory beans, String name) {
        Object proxied =
                beans.getMergedBeanDefinition(name).getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE);
        return proxied instanceof Class<?> type ? type : beans.getType(name, false);
    }

    private static boolean usesLocks(@Nullable Class<?> type) {
        return type != null
                && (TaskScheduler.class.isAssignableFrom(type)
                        || Executor.class.isAssignableFrom(type)
                        || !LockedMethod.annotated(type).isEmpty());
    }

    /** Logs each annotated bean that is no proxy, or one that does not lock, although its context has proxies. */
    static void reportBeansWithoutProxy(ConfigurableListableBeanFactory beans) {
        Arrays.stream(beans.getSingletonNames())
                .filter(name -> Optional.ofNullable(beans.getSingleton(name))
                        .filter(LockedContexts::isWithoutProxy)
                        .isPresent())
                .forEach(name -> LOG.log(
                        WARNING,
                        "Bean '" + name + "' has methods under @Locked, which run without their locks: it was created"
                                + " before the proxies, for a BeanPostProcessor or as the class of a @Bean method of one"
                                + " that is not static, or registered as an instance"));
    }

    private static boolean isWithoutProxy(Object bean) {
        boolean isProxy = AopUtils.isAopProxy(bean);
        boolean isLocked = isProxy
                && !(bean instanceof Advised proxy
                        && proxy.getTargetSource().isStatic()
                        && chain(proxy).stream().noneMatch(LockedAdvisor.class::isInstance));
        return !isLocked
                && !(bean instanceof AopInfrastructureBean)
                && !LockedMethod.annotated(isProxy ? AopProxyUtils.ultimateTargetClass(bean) : bean.getClass())
                        .isEmpty();
    }

    /** Logs each annotated method whose transaction is outside of its lock, or whose work is not. */
    static void reportOrder(ConfigurableListableBeanFactory beans, LockedAdvisor lock) {
        for (String name : beans.getSingletonNames()) {
            if (beans.getSingleton(name) instanceof Advised proxy) {
                List<Advisor> chain = chain(proxy);
                int own = chain.indexOf(lock);
                LockedMethod.annotated(AopProxyUtils.ultimateTargetClass(proxy)).keySet().stream()
                        .filter(method -> own >= 0)
                        .forEach(method -> {
                            reportTransactionOutside(chain.subList(0, Math.max(own, 0)), method, lock);
                            reportAsyncInside(chain.subList(own + 1, chain.size()), method);
                        });
            }
        }
    }

    /** Returns the advisors of nested proxies, the outermost first. */
    private static List<Advisor> chain(Advised proxy) {
        List<Advisor> chain = new ArrayList<>(List.of(proxy.getAdvisors()));
        if (proxy.getTargetSource() instanceof SingletonTargetSource source
                && source.getTarget() instanceof Advised inner) {
            chain.addAll(chain(inner));
        }
        return chain;
    }

    private static void reportTransactionOutside(List<Advisor> outside, Method method, LockedAdvisor lock) {
        outside.stream()
                .filter(advisor -> isTransaction(advisor) && applies(advisor, method))
                .forEach(advisor -> LOG.log(
                        WARNING,
                        "@Locked on " + method
                                + " is inside of its transaction, and the lock is free before the commit:"
                                + " the order of the lock is " + lock.getOrder() + ", that of the transaction "
                                + ((Ordered) advisor).getOrder() + ". The smaller one is outside: change order of"
                                + " @EnableLocked or of @EnableTransactionManagement"));
    }

    private static boolean isTransaction(Advisor advisor) {
        return advisor instanceof Ordered
                && advisor.getAdvice()
                        .getClass()
                        .getName()
                        .equals("org.springframework.transaction.interceptor.TransactionInterceptor");
    }

    private static void reportAsyncInside(List<Advisor> inside, Method method) {
        inside.stream()
                .filter(advisor -> advisor.getAdvice() instanceof AsyncExecutionInterceptor && applies(advisor, method))
                .filter(advisor -> !CompletionStage.class.isAssignableFrom(method.getReturnType()))
                .forEach(advisor -> LOG.log(
                        WARNING,
                        "@Locked on " + method + " is outside of its @Async, and the lock is free when the work begins:"
                                + " remove order of @EnableAsync"));
    }

    private static boolean applies(Advisor advisor, Method method) {
        return advisor instanceof PointcutAdvisor chosen
                && chosen.getPointcut().getMethodMatcher().matches(method, method.getDeclaringClass());
    }
}
