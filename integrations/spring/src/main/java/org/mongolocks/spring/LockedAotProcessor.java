package org.mongolocks.spring;

import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ClassUtils;

/**
 * The reflection hints of beans with methods under {@link Locked}, for a native image: the methods and their fallbacks,
 * the types of the parameters that a name reads, the annotations, and the clients, which are looked up by their names.
 */
final class LockedAotProcessor implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        Map<Method, MergedAnnotation<Locked>> methods = LockedMethod.annotated(type);
        if (methods.isEmpty()) {
            return null;
        }
        LockedContexts.check(bean.getBeanFactory());
        return (context, code) -> {
            ReflectionHints hints = context.getRuntimeHints().reflection();
            registerClients(hints, type.getClassLoader());
            hints.registerForInterfaces(type, hint -> hint.withMembers(MemberCategory.INVOKE_DECLARED_METHODS));
            methods.forEach((method, locked) -> register(hints, type, method, locked));
        };
    }

    private static void registerClients(ReflectionHints hints, @Nullable ClassLoader loader) {
        for (MethodKind kind : MethodKind.values()) {
            hints.registerTypeIfPresent(loader, kind.clientType(), hint -> {});
        }
    }

    private static void register(ReflectionHints hints, Class<?> type, Method method, MergedAnnotation<Locked> locked) {
        hints.registerType(Locked.class, MemberCategory.INVOKE_DECLARED_METHODS);
        hints.registerType(locked.getRoot().getType(), MemberCategory.INVOKE_DECLARED_METHODS);
        hints.registerMethod(method, ExecutableMode.INVOKE);
        LockedMethod.findFallback(method, locked.getString("fallback"), type)
                .ifPresent(fallback -> hints.registerMethod(fallback, ExecutableMode.INVOKE));
        if (locked.getString("name").contains("#{")) {
            for (Class<?> parameter : method.getParameterTypes()) {
                hints.registerType(parameter, MemberCategory.INVOKE_PUBLIC_METHODS);
            }
        }
    }
}
