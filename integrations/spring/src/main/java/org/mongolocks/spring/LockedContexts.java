package org.mongolocks.spring;

import static java.lang.System.Logger.Level.WARNING;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractAdvisorAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * The check that annotated beans are proxied. A context has proxies of its own: an {@link EnableLocked} of its parent or
 * child does not apply to it, and its methods would run without their locks, silently.
 */
final class LockedContexts {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private LockedContexts() {}

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
        if (hasProxies(beans)) {
            return;
        }
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = beans.getType(name, false);
            if (type != null && !LockedMethod.annotated(type).isEmpty()) {
                throw new IllegalStateException("Bean '" + name + "' of " + type + " has methods under @Locked, which"
                        + " would run without their locks: its application context has no @EnableLocked. That of a"
                        + " parent or child context does not apply to it");
            }
        }
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

    /** Logs each annotated bean that is no proxy although its context has them. */
    static void reportBeansWithoutProxy(ConfigurableListableBeanFactory beans) {
        Arrays.stream(beans.getSingletonNames())
                .filter(name -> Optional.ofNullable(beans.getSingleton(name))
                        .filter(LockedContexts::isWithoutProxy)
                        .isPresent())
                .forEach(name -> LOG.log(
                        WARNING,
                        "Bean '" + name + "' has methods under @Locked, which run without their locks: it was created"
                                + " before the proxies, as the dependency of a BeanPostProcessor, or registered as an"
                                + " instance"));
    }

    private static boolean isWithoutProxy(Object bean) {
        Class<?> type = bean.getClass();
        return !AopUtils.isAopProxy(bean)
                && !Proxy.isProxyClass(type)
                && ClassUtils.getUserClass(type) == type
                && !(bean instanceof AopInfrastructureBean)
                && !LockedMethod.annotated(type).isEmpty();
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
