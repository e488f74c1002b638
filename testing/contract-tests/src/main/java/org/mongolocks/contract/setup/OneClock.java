package org.mongolocks.contract.setup;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;
import org.mongolocks.contract.LockContract;

/**
 * The clock of the embedded server as a JUnit resource, because one rule at a time can move it. Where time passes by
 * itself, rules that wait for the end of a lease run side by side if JUnit is configured to run tests in parallel.
 */
public final class OneClock implements ResourceLocksProvider {
    /** Instantiated by JUnit, which is in another module. */
    public OneClock() {}

    @Override
    public Set<Lock> provideForMethod(List<Class<?>> enclosing, Class<?> testClass, Method method) {
        return ServerFinder.isConfigured() && !namesItsServer(testClass)
                ? Set.of()
                : Set.of(new Lock("mongo-locks contract: the clock of the embedded server"));
    }

    /** Returns whether a class overrides {@code server()}, and may have chosen the embedded server. */
    private static boolean namesItsServer(Class<?> testClass) {
        try {
            return !testClass.getMethod("server").getDeclaringClass().equals(LockContract.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(testClass + " is not a " + LockContract.class, e);
        }
    }
}
