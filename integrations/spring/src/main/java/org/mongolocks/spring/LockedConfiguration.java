package org.mongolocks.spring;

import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportAware;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * The configuration behind {@link EnableLocked}, with its defaults if it is imported without the annotation. Import it
 * once: the last import decides on the order.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(LockedConfiguration.AutoProxyRegistrar.class)
public class LockedConfiguration implements ImportAware {
    private int order = EnableLocked.DEFAULT_ORDER;

    /** Creates the configuration, for Spring. */
    public LockedConfiguration() {}

    /** Reads {@link EnableLocked#order}, for Spring. */
    @Override
    public void setImportMetadata(AnnotationMetadata importing) {
        if (attributes(importing).get("order") instanceof Integer chosen) {
            order = chosen;
        }
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    LockedAdvisor mongoLocksAdvisor(ConfigurableApplicationContext context) {
        return new LockedAdvisor(context, order);
    }

    private static Map<String, @Nullable Object> attributes(AnnotationMetadata importing) {
        Map<String, @Nullable Object> enabled = importing.getAnnotationAttributes(EnableLocked.class.getName());
        return enabled == null ? Map.of() : enabled;
    }

    /** Registers the creator of proxies that applies the advisors of the infrastructure, and the check of commits. */
    static final class AutoProxyRegistrar implements ImportBeanDefinitionRegistrar {
        private static final String TRANSACTIONS = "mongoLocksTransactions";
        private static final boolean ARE_TRANSACTIONS_PRESENT = Stream.of(
                        "org.springframework.transaction.ConfigurableTransactionManager",
                        MethodKind.BLOCKING.clientType())
                .allMatch(type -> ClassUtils.isPresent(type, AutoProxyRegistrar.class.getClassLoader()));

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            if (ARE_TRANSACTIONS_PRESENT && !registry.containsBeanDefinition(TRANSACTIONS)) {
                RootBeanDefinition transactions = new RootBeanDefinition(LockedTransactions.class);
                transactions.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
                registry.registerBeanDefinition(TRANSACTIONS, transactions);
            }
        }
    }

    /** Forces proxies of classes, if an application asks for them. */
    static final class ClassProxyRegistrar implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            if (Boolean.TRUE.equals(attributes(importing).get("proxyTargetClass"))) {
                AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
                AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
            }
        }
    }
}
