package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.mongolocks.spi.LockStrategy;

/** The checks that users find a strategy by its name, on the class path and on the module path. */
public final class ServiceRegistrationCheck {
    private ServiceRegistrationCheck() {}

    /**
     * Checks that {@code META-INF/services} names the strategy. Call it in a test that runs on the class path.
     *
     * @param strategy the class of the strategy
     */
    public static void assertOnClassPath(Class<? extends LockStrategy> strategy) {
        Stream<Class<?>> found = ServiceLoader.load(LockStrategy.class).stream().map(ServiceLoader.Provider::type);

        assertThat(found).as("META-INF/services").contains(strategy);
    }

    /**
     * Checks that the module of the strategy provides it.
     *
     * @param strategy the class of the strategy, packaged with its {@code module-info.java}
     */
    public static void assertInModule(Class<? extends LockStrategy> strategy) {
        Stream<String> provided = ModuleFinder.of(placeOf(strategy)).findAll().stream()
                .flatMap(module -> module.descriptor().provides().stream())
                .filter(provides -> provides.service().equals(LockStrategy.class.getName()))
                .flatMap(provides -> provides.providers().stream());

        assertThat(provided).as("module-info").contains(strategy.getName());
    }

    private static Path placeOf(Class<?> type) {
        URL place = Optional.ofNullable(type.getProtectionDomain().getCodeSource())
                .orElseThrow()
                .getLocation();
        try {
            return Path.of(place.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("The place of " + type + " is no path: " + place, e);
        }
    }
}
