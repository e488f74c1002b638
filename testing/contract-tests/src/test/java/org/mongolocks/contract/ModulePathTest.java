package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mongolocks.contract.integration.NamedModuleContract;

/** Tests that the library works on the module path; the other tests use the class path. */
class ModulePathTest {
    private static final Set<String> ROOTS = Set.of(
            "org.mongolocks",
            "org.mongolocks.sync",
            "org.mongolocks.reactive",
            "org.mongolocks.embedded",
            "org.mongolocks.contract");

    @Test
    void modulesResolveAndStrategiesAreFound() throws ReflectiveOperationException {
        ModuleLayer boot = ModuleLayer.boot();
        ModuleFinder finder = ModuleFinder.of(NamedModuleContract.modules().toArray(Path[]::new));
        Configuration modules = boot.configuration().resolveAndBind(finder, ModuleFinder.of(), ROOTS);
        ClassLoader loader = boot.defineModulesWithOneLoader(modules, ClassLoader.getPlatformClassLoader())
                .findLoader("org.mongolocks");

        assertThat(namesOfStrategies(loader))
                .containsExactly(
                        "findandmodify-counter",
                        "flag-update",
                        "insert-unique",
                        "optimistic-version",
                        "optimistic-version-clock-free",
                        "transactional");
    }

    private static List<Object> namesOfStrategies(ClassLoader loader) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            Class<?> strategies = loader.loadClass("org.mongolocks.spi.LockStrategies");
            List<?> all = (List<?>) strategies.getMethod("all").invoke(null);
            return all.stream().map(strategy -> nameOf(loader, strategy)).toList();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Object nameOf(ClassLoader loader, Object strategy) {
        try {
            assertThat(strategy.getClass().getModule().isNamed()).isTrue();
            return loader.loadClass("org.mongolocks.spi.LockStrategy")
                    .getMethod("name")
                    .invoke(strategy);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("A strategy has no name", e);
        }
    }
}
