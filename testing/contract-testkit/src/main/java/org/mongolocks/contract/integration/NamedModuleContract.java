package org.mongolocks.contract.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleDescriptor.Requires.Modifier;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract test of an integration that is a named module: an application that is one too compiles without the
 * modules that the integration requires as static, such as the client of the driver that it does not use. The test class
 * implements this interface, and runs in the folder of the module.
 */
public interface NamedModuleContract {
    /** The annotations are on the compile path of every user, and so are required transitively. */
    String ANNOTATIONS = "org.jspecify";

    /**
     * Compiles an application without each optional module, and one without all of them.
     *
     * @throws IOException if a folder cannot be created
     */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES) // it runs the compiler once for each optional module
    @Tag("finds:module-of-one-client")
    default void namedApplicationCompilesWithoutOptionalModules() throws IOException {
        ModuleDescriptor integration = descriptor(Path.of("target", "classes"));
        Set<String> optional = integration.requires().stream()
                .filter(required -> required.modifiers().contains(Modifier.STATIC))
                .map(Requires::name)
                .filter(name -> !name.equals(ANNOTATIONS))
                .collect(Collectors.toCollection(HashSet::new));

        assertThat(optional).as("optional modules of %s", integration.name()).isNotEmpty();
        for (String module : optional) {
            assertThat(errors(integration.name(), Set.of(module)))
                    .as("without %s", module)
                    .isEmpty();
        }
        assertThat(errors(integration.name(), optional))
                .as("without all of them")
                .isEmpty();
    }

    /**
     * Returns the entries of the class path that are modules. Of two that share a package, only the first is one.
     *
     * @return folders with a descriptor, and jars whose name can be that of a module
     */
    static List<Path> modules() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Set<String> packages = new HashSet<>();
        return Stream.of(classPath.split(Pattern.quote(File.pathSeparator)))
                .map(Path::of)
                .filter(entry -> isModule(entry) && isApart(entry, packages))
                .toList();
    }

    private static boolean isModule(Path entry) {
        try {
            return !ModuleFinder.of(entry).findAll().isEmpty();
        } catch (FindException e) {
            return false;
        }
    }

    private static boolean isApart(Path entry, Set<String> packages) {
        Set<String> own = descriptor(entry).packages();
        return Collections.disjoint(packages, own) && packages.addAll(own);
    }

    private static ModuleDescriptor descriptor(Path module) {
        return ModuleFinder.of(module).findAll().stream()
                .map(ModuleReference::descriptor)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("There is no module in " + module.toAbsolutePath()));
    }

    /** Returns what the compiler says to an application that requires the integration. */
    private static String errors(String integration, Set<String> missing) throws IOException {
        Path folder = Files.createTempDirectory("named-module");
        Path source = Files.writeString(
                folder.resolve("module-info.java"), "module application { requires " + integration + "; }");
        String path = modules().stream()
                .filter(entry -> !missing.contains(descriptor(entry).name()))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        ToolProvider.getSystemJavaCompiler()
                .run(null, null, errors, "-proc:none", "-p", path, "-d", folder.toString(), source.toString());
        return errors.toString(StandardCharsets.UTF_8);
    }
}
