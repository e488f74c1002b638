package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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
        Configuration modules = boot.configuration().resolveAndBind(finder(), ModuleFinder.of(), ROOTS);
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

    private static ModuleFinder finder() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path[] modules = Stream.of(classPath.split(Pattern.quote(File.pathSeparator)))
                .map(Path::of)
                .filter(ModulePathTest::isModule)
                .toArray(Path[]::new);
        return ModuleFinder.of(modules);
    }

    /**
     * Not modules: a folder without a descriptor, such as the test classes, and a jar whose name cannot be a module
     * name. Testcontainers stays on the class path, because two of its jars share a package.
     */
    private static boolean isModule(Path entry) {
        if (entry.toString().contains("testcontainers")) {
            return false;
        }
        try {
            return !ModuleFinder.of(entry).findAll().isEmpty();
        } catch (FindException e) {
            return false;
        }
    }
}
