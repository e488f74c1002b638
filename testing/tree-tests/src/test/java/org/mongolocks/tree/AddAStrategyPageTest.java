package org.mongolocks.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Builds the project that {@code docs/add-a-strategy.md} shows, outside of this one, and runs the programs with its jar,
 * except {@code ./soak}, whose shortest run takes more than a minute. The project has a local repository of its own, with
 * the artifacts of this build. Maven copies the others from the repository of this build, and downloads what is missing
 * there.
 */
@Tag("slow")
@DisabledOnOs(OS.WINDOWS)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class AddAStrategyPageTest {
    private static final Path CHECKOUT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path REPOSITORY = Path.of("target", "repository").toAbsolutePath();
    private static final String OLDEST_MAVEN = System.getProperty("mvn");
    private static final String WRAPPER = CHECKOUT.resolve("mvnw").toString();
    private static final String MODULE = "src/main/java/module-info.java";
    private static final String JAR = "target/null-owner-1.0.0-SNAPSHOT.jar";
    private static final Pattern TESTED = Pattern.compile("Tests run: [1-9]\\d*, Failures: 0, Errors: 0");
    private static final Pattern FILE =
            Pattern.compile("^`(pom\\.xml|src/[\\w/.-]+)`.*?^```\\w*\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    /** What the command of the page installs, and where its modules are. */
    private static final Map<String, String> INSTALLED = Map.ofEntries(
            Map.entry("mongo-locks-parent", ""),
            Map.entry("mongo-locks-bom", "integrations/bom"),
            Map.entry("mongo-locks-core", "core"),
            Map.entry("mongo-locks-client-sync", "clients/client-sync"),
            Map.entry("mongo-locks-client-reactive", "clients/client-reactive"),
            Map.entry("mongo-locks-embedded-mongodb", "testing/embedded-mongodb"),
            Map.entry("mongo-locks-fault-proxy", "testing/fault-proxy"),
            Map.entry("mongo-locks-protocol-testkit", "testing/protocol-testkit"),
            Map.entry("mongo-locks-server-testkit", "testing/server-testkit"),
            Map.entry("mongo-locks-blocking-clients", "testing/blocking-clients"),
            Map.entry("mongo-locks-contract-testkit", "testing/contract-testkit"));

    @TempDir
    private static Path directory;

    private static Path settings;

    @BeforeAll
    static void prepareMaven() throws IOException {
        settings = Files.writeString(directory.resolve("settings.xml"), settings());
        for (Map.Entry<String, String> artifact : INSTALLED.entrySet()) {
            install(artifact.getKey(), CHECKOUT.resolve(artifact.getValue()));
        }
    }

    @ParameterizedTest(name = "oldest Maven: {0}, named module: {1}")
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    @Tag("finds:add-a-strategy-module")
    void projectOfThePageIsTested(boolean isOldestMaven, boolean isModule) throws Exception {
        Path project = project(isModule);

        assertThat(build(project, isOldestMaven ? OLDEST_MAVEN : WRAPPER, "package", "-Dtest=NullOwnerStrategyTest"))
                .containsPattern(TESTED);
        assertThat(project.resolve(JAR)).exists();
    }

    @Test
    void contractOfANamedModuleIsTested() throws Exception {
        assertThat(build(project(true), WRAPPER, "test", "-Dtest=NullOwnerContractTest"))
                .containsPattern(TESTED);
    }

    @Test
    void strategyIsInEveryReport() throws Exception {
        Path project = project(false);
        build(project, WRAPPER, "package", "-DskipTests");

        report(project, "compare --quick --only B10 --out compared");
        assertThat(project.resolve("compared/report.html")).content().contains("null-owner", "insert-unique");
        assertThat(report(project, "doctor --uri embedded --strategy null-owner"))
                .contains("null-owner: usable");
        assertThat(report(project, "study --scenario holder-crash --technique null-owner"))
                .contains("null-owner");
        assertThat(report(project, "study --scenario healthy --technique null-owner --uri embedded"))
                .contains("null-owner");
        assertThat(report(project, "jmh -f 1 -wi 0 -i 1 -r 1 -p strategy=null-owner -p client=SYNC Uncontended"))
                .contains("null-owner");
    }

    /** Writes the files of the page, in a directory whose name has a space. */
    private static Path project(boolean isModule) throws IOException {
        Map<String, String> files = new HashMap<>();
        Matcher file = FILE.matcher(section());
        while (file.find()) {
            files.put(file.group(1), file.group(2));
        }
        assertThat(files).hasSize(6).containsKey(MODULE);
        if (!isModule) {
            files.remove(MODULE);
        }

        Path project = Files.createTempDirectory(directory, "null owner");
        for (Map.Entry<String, String> each : files.entrySet()) {
            Path to = project.resolve(each.getKey());
            Files.createDirectories(to.getParent());
            Files.writeString(to, each.getValue());
        }
        return project;
    }

    private static String section() throws IOException {
        String page = Files.readString(CHECKOUT.resolve("docs/add-a-strategy.md"));
        return page.substring(page.indexOf("\n## In a project of your own"), page.indexOf("\n## Measure"));
    }

    private static String build(Path project, String maven, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", maven, "-B", "-ntp", "-gs", settings.toString()));
        command.add("-Dmaven.repo.local=" + REPOSITORY);
        command.addAll(List.of(arguments));
        return run(project, command);
    }

    private static String report(Path project, String program) throws Exception {
        List<String> command = new ArrayList<>(List.of((program + " --classpath " + JAR).split(" ")));
        command.set(0, CHECKOUT.resolve(command.get(0)).toString());
        return run(project, command);
    }

    private static String run(Path project, List<String> command) throws Exception {
        Path log = Files.createTempFile(directory, "run", ".log");
        Process process = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            int status = process.waitFor();
            String printed = Files.readString(log);
            assertThat(status).as("%s%n%s", command, printed).isZero();
            return printed;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void install(String artifact, Path module) throws IOException {
        String version = System.getProperty("project.version");
        String name = artifact + "-" + version;
        Path to = Files.createDirectories(
                REPOSITORY.resolve("org/mongolocks").resolve(artifact).resolve(version));
        Files.copy(module.resolve("pom.xml"), to.resolve(name + ".pom"), StandardCopyOption.REPLACE_EXISTING);
        Path jar = module.resolve("target").resolve(name + ".jar");
        if (Files.exists(jar)) {
            Files.copy(jar, to.resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** The settings with which the local repository of this build is a remote one, without its snapshots. */
    private static String settings() {
        String repository = "<id>this-build</id><snapshots><enabled>false</enabled></snapshots><url>"
                + Path.of(System.getProperty("repository")).toUri() + "</url>";
        return "<settings><profiles><profile><id>this-build</id>"
                + "<repositories><repository>" + repository + "</repository></repositories>"
                + "<pluginRepositories><pluginRepository>" + repository + "</pluginRepository></pluginRepositories>"
                + "</profile></profiles><activeProfiles><activeProfile>this-build</activeProfile></activeProfiles></settings>";
    }
}
