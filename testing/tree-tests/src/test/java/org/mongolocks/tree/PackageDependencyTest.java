package org.mongolocks.tree;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The packages of each module form no cycle, and those of core depend downwards only. What does not keep a rule yet is
 * in a list here; an entry that is no longer needed fails too.
 */
class PackageDependencyTest {
    private static final Path CHECKOUT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final String ROOT = "org.mongolocks";

    /** The packages of core, from the top. A package depends on packages below it only. */
    private static final List<String> LAYERS = Stream.of(
                    ".internal.engine",
                    ".internal.reentrant",
                    ".internal.acquire",
                    ".internal.wait",
                    ".internal.hold",
                    ".internal.schema",
                    ".internal.optimistic",
                    ".internal.run",
                    ".internal.fence",
                    ".internal.settings",
                    ".spi.lease",
                    ".spi",
                    "",
                    ".internal.base",
                    ".time")
            .map(ROOT::concat)
            .toList();

    /** The builder of a client takes a strategy, and strategies speak of leases: users have both names. */
    private static final Set<String> KNOWN_UPWARD = Set.of(" > .spi");

    /** The packages of a module that depend on themselves through others. */
    private static final Map<String, Set<String>> KNOWN_CYCLES = Map.of("core", under(ROOT, "", ".spi"));

    private static List<String> modules;

    @BeforeAll
    static void readModules() throws IOException {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        modules = ApiListing.modules(CHECKOUT).stream()
                .filter(module -> Files.isDirectory(CHECKOUT.resolve(module).resolve("src/main/java"))
                        || Files.isDirectory(CHECKOUT.resolve(module).resolve("src/main/kotlin")))
                .toList();
    }

    private static Set<String> under(String root, String... packages) {
        return Stream.of(packages).map(root::concat).collect(Collectors.toSet());
    }

    static List<String> modules() {
        return modules;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void packagesFormNoCycle(String module) {
        Graph graph = Graph.of(module);

        assertThat(graph.cyclic())
                .as("packages of %s in a cycle, which depend on each other so:%n%s", module, graph.describeCycles())
                .isEqualTo(KNOWN_CYCLES.getOrDefault(module, Set.of()));
    }

    @Test
    void knownCyclesNameModules() {
        assertThat(modules).containsAll(KNOWN_CYCLES.keySet());
    }

    @Test
    void packagesOfCoreDependDownwards() {
        Graph graph = Graph.of("core");

        assertThat(LAYERS)
                .as("the layers of core, each package at its place")
                .containsExactlyInAnyOrderElementsOf(graph.uses().keySet());
        assertThat(graph.upward())
                .as("dependencies of core that run up, and the known ones")
                .isEqualTo(KNOWN_UPWARD);
    }

    /** The packages of a module with the packages each uses, and one class that does. */
    private record Graph(SortedMap<String, SortedMap<String, String>> uses) {
        static Graph of(String module) {
            Path classes = CHECKOUT.resolve(module).resolve("target/classes");
            assertThat(classes)
                    .as("%s is compiled before this test if pom.xml of tree-tests depends on it", module)
                    .isDirectory();
            JavaClasses imported = new ClassFileImporter().importPath(classes);
            Set<String> packages =
                    imported.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
            SortedMap<String, SortedMap<String, String>> uses = new TreeMap<>();
            packages.forEach(name -> uses.put(name, new TreeMap<>()));
            for (JavaClass type : imported) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (packages.contains(target.getPackageName())) {
                        uses.get(type.getPackageName())
                                .putIfAbsent(target.getPackageName(), dependency.getDescription());
                    }
                }
            }
            uses.forEach((name, used) -> used.remove(name));
            return new Graph(uses);
        }

        SortedSet<String> cyclic() {
            return uses.keySet().stream()
                    .filter(name -> reachableFrom(name).contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        private Set<String> reachableFrom(String name) {
            Set<String> reached = new TreeSet<>(uses.get(name).keySet());
            while (reached.addAll(reached.stream()
                    .flatMap(each -> uses.get(each).keySet().stream())
                    .toList())) {}
            return reached;
        }

        String describeCycles() {
            Set<String> cyclic = cyclic();
            return uses.entrySet().stream()
                    .filter(each -> cyclic.contains(each.getKey()))
                    .flatMap(each -> each.getValue().entrySet().stream()
                            .filter(used -> reachableFrom(used.getKey()).contains(each.getKey()))
                            .map(used -> each.getKey() + " > " + used.getKey() + ": " + used.getValue()))
                    .collect(Collectors.joining(System.lineSeparator()));
        }

        Set<String> upward() {
            return uses.entrySet().stream()
                    .flatMap(each -> each.getValue().keySet().stream()
                            .filter(used -> LAYERS.indexOf(used) < LAYERS.indexOf(each.getKey()))
                            .map(used ->
                                    each.getKey().substring(ROOT.length()) + " > " + used.substring(ROOT.length())))
                    .collect(Collectors.toSet());
        }
    }
}
