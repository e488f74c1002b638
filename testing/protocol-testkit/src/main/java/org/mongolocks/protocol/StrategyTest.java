package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/**
 * The tests of a strategy without a server: the {@linkplain ProtocolLaws laws}, and that users find it by its name. A
 * test of a strategy extends this class:
 *
 * <pre>{@code
 * class MyStrategyTest extends StrategyTest {
 *     @Override
 *     protected LockStrategy strategy() {
 *         return new MyStrategy();
 *     }
 * }
 * }</pre>
 */
public abstract class StrategyTest extends ProtocolLaws {

    /** Creates the tests of a subclass. */
    protected StrategyTest() {}

    /** Checks that {@code META-INF/services} names the strategy. */
    @Test
    protected void strategyIsFoundByNameOnTheClassPath() {
        Stream<Class<?>> found = ServiceLoader.load(LockStrategy.class).stream().map(ServiceLoader.Provider::type);

        assertThat(found).as("META-INF/services").contains(strategy().getClass());
        assertThat(LockStrategies.named(strategy().name()))
                .isInstanceOf(strategy().getClass());
    }

    /** Checks that {@code module-info.java} provides the strategy. Skipped if the strategy is not in a module. */
    @Test
    protected void strategyIsProvidedByItsModule() {
        ModuleFinder modules = ModuleFinder.of(locationOf(strategy().getClass()));

        assumeThat(modules.findAll()).as("modules with the strategy").isNotEmpty();
        assertProvided(strategy(), modules);
    }

    static void assertProvided(LockStrategy strategy, ModuleFinder modules) {
        Stream<String> provided = modules.findAll().stream()
                .flatMap(module -> module.descriptor().provides().stream())
                .filter(provides -> provides.service().equals(LockStrategy.class.getName()))
                .flatMap(provides -> provides.providers().stream());

        assertThat(provided).as("module-info").contains(strategy.getClass().getName());
    }

    private static Path locationOf(Class<?> type) {
        try {
            return Path.of(Optional.ofNullable(type.getProtectionDomain().getCodeSource())
                    .orElseThrow()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("The location of " + type + " must be a path", e);
        }
    }
}
