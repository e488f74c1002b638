package org.mongolocks.contract;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.mongolocks.contract.adapter.Driver;

/**
 * The drivers that a {@link LockContract} runs on; without this annotation it runs on both. A strategy whose contract
 * takes long can leave one driver to a class of its own, which runs less often.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OnDrivers {
    /**
     * Returns the drivers.
     *
     * @return one or more
     */
    Driver[] value();

    /** The drivers of a test class. */
    final class Provider implements ArgumentsProvider {
        /** Instantiated by JUnit. */
        public Provider() {}

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            OnDrivers named = context.getRequiredTestClass().getAnnotation(OnDrivers.class);
            return Stream.of(named == null ? Driver.values() : named.value()).map(Arguments::of);
        }
    }
}
