package org.mongolocks.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that docs/dependencies.md names the direct dependencies of the published modules, and no others. */
class DependenciesPageTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern MANAGEMENT =
            Pattern.compile("<dependencyManagement>.*?</dependencyManagement>|<build>.*?</build>", Pattern.DOTALL);
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<dependency>\\s*<groupId>(.+?)</groupId>\\s*<artifactId>(.+?)</artifactId>(.*?)</dependency>",
            Pattern.DOTALL);
    /** The first column of a table, and a name in it. */
    private static final Pattern COLUMN = Pattern.compile("(?m)^\\| (`[^|]+) \\|");

    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    @Test
    void pageNamesTheDirectDependencies() throws IOException {
        Set<String> named = new TreeSet<>();
        COLUMN.matcher(Files.readString(ROOT.resolve("docs/dependencies.md")))
                .results()
                .flatMap(column -> NAME.matcher(column.group(1)).results())
                .forEach(name -> named.add(name.group(1)));

        assertThat(named).isEqualTo(dependencies());
    }

    private static Set<String> dependencies() throws IOException {
        Set<String> dependencies = new TreeSet<>();
        for (String pom : ApiListing.published(ROOT).values()) {
            DEPENDENCY
                    .matcher(MANAGEMENT.matcher(pom).replaceAll(""))
                    .results()
                    .filter(dependency -> !dependency.group(1).equals("org.mongolocks"))
                    .filter(dependency -> !dependency.group(3).contains("<scope>test</scope>"))
                    .forEach(dependency -> dependencies.add(dependency.group(2)));
        }
        return dependencies;
    }
}
