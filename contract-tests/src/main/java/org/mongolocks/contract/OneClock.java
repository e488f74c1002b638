package org.mongolocks.contract;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * The clock of the embedded server, which one rule at a time can move. Where time passes by itself, rules that wait for a
 * lease to end wait side by side, if JUnit is configured to run tests in parallel.
 */
public final class OneClock implements ResourceLocksProvider {
    /** Made by JUnit, from a module of its own. */
    public OneClock() {}

    @Override
    public Set<Lock> provideForMethod(List<Class<?>> enclosing, Class<?> testClass, Method method) {
        return ServerFinder.isConfigured() && !namesItsServer(testClass)
                ? Set.of()
                : Set.of(new Lock("mongo-locks contract: the clock of the embedded server"));
    }

    /** A class that overrides {@code server()} may have chosen the embedded one. */
    private static boolean namesItsServer(Class<?> testClass) {
        try {
            return !testClass.getMethod("server").getDeclaringClass().equals(LockContract.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(testClass + " is no " + LockContract.class, e);
        }
    }
}
