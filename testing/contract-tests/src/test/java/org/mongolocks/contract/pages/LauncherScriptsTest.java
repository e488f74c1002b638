package org.mongolocks.contract.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the launcher scripts in a copy of the project that has no sources, and whose Java prints its arguments. A
 * build fails there.
 */
@DisabledOnOs(OS.WINDOWS)
class LauncherScriptsTest {
    private static final Path PROJECT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final String SERVICE = "META-INF/services/org.mongolocks.spi.LockStrategy";
    private static final String BUILDS = "building";

    @TempDir
    private Path directory;

    private Path copy;
    private Path caller;

    @BeforeEach
    void copyScripts() throws IOException {
        copy = Files.createDirectory(directory.resolve("a copy"));
        caller = Files.createDirectory(directory.resolve("the caller"));
        for (String script : List.of("compare", "doctor", "jmh", "site", "soak", "study")) {
            copy(script);
        }
        for (String script : List.of("examples/run", "build/launcher.sh", "build/module.sh")) {
            copy(script);
        }
        for (String usage : usages()) {
            copy(usage);
        }
        executable(copy.resolve("jdk/bin/java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        executable(copy.resolve("mvnw"), "#!/bin/sh\nexit 1\n");
        Files.writeString(copy.resolve("pom.xml"), "");
    }

    @ParameterizedTest
    @CsvSource({
        "compare, benchmarks/src/main/resources/org/mongolocks/benchmarks/cli/usage.txt",
        "doctor, verify/doctor/src/main/resources/org/mongolocks/doctor/usage.txt",
        "jmh, benchmarks/src/main/resources/org/mongolocks/benchmarks/jmh/usage.txt",
        "site, verify/site/src/main/resources/org/mongolocks/site/usage.txt",
        "soak, verify/study/src/main/resources/org/mongolocks/study/soak-usage.txt",
        "study, verify/study/src/main/resources/org/mongolocks/study/usage.txt"
    })
    void scriptFindsTheProjectFromAnotherDirectoryAndThroughLinks(String script, String usage) throws Exception {
        Path absolute = Files.createSymbolicLink(directory.resolve("absolute"), copy.resolve(script));
        Path bin = Files.createDirectory(directory.resolve("bin"));
        Path relative = Files.createSymbolicLink(bin.resolve("relative"), Path.of("..", "absolute"));
        Printed expected = new Printed(0, Files.readString(PROJECT.resolve(usage)));

        assertThat(run(copy.resolve(script), "--help")).isEqualTo(expected);
        assertThat(run(absolute, "--help")).isEqualTo(expected);
        assertThat(run(relative, "-h")).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"compare", "doctor", "jmh", "soak", "study"})
    void helpNamesTheClassPath(String script) throws Exception {
        assertThat(run(copy.resolve(script), "--help").lines()).contains("  --classpath JAR[:JAR...]");
    }

    @ParameterizedTest
    @CsvSource({
        "compare, --nonsense, Unknown option: '--nonsense'",
        "compare, --quik=1, Unknown option: '--quik=1'",
        "compare, quick, Unknown argument: 'quick'",
        "compare, -x, Unknown argument: '-x'",
        "compare, --minutes, --minutes has no value",
        "doctor, --nonsense, Unknown option: '--nonsense'",
        "doctor, --uri, --uri has no value",
        "site, --out, --out has no value",
        "soak, --nonsense, Unknown option: '--nonsense'",
        "soak, --minutes, --minutes has no value",
        "study, --nonsense, Unknown option: '--nonsense'",
        "study, --seeds, --seeds has no value",
        "jmh, --classpath, --classpath has no value"
    })
    void wrongArgumentIsRefusedBeforeAnythingIsBuilt(String script, String argument, String message) throws Exception {
        assertThat(run(copy.resolve(script), argument))
                .isEqualTo(new Printed(2, script + ": " + message + " (see --help)\n"));
    }

    @ParameterizedTest
    @CsvSource({"compare, --minutes, soon", "soak, --clients, -1", "study, --seeds, 1.5", "study, --seeds, ''"})
    @Tag("finds:script-arguments")
    void valueThatIsNoWholeNumberIsRefusedBeforeAnythingIsBuilt(String script, String option, String value)
            throws Exception {
        assertThat(run(copy.resolve(script), option, value))
                .isEqualTo(new Printed(
                        2, script + ": " + option + " must be a whole number, was '" + value + "' (see --help)\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "compare, --quick --uri=mongodb://a --out x",
        "doctor, --uri mongodb://a --json",
        "soak, --strategy flag-update --strategy transactional --minutes 1",
        "study, --waiting --clients 1 --uri embedded",
        "jmh, -f 1 -jvmArgs --enable-preview Uncontended"
    })
    void knownArgumentsReachTheProgramAsTheyAre(String script, String arguments) throws Exception {
        pretendBuilt();
        List<String> given = List.of(arguments.split(" ", -1));

        assertThat(run(copy.resolve(script), given.toArray(String[]::new)).lines())
                .endsWith(given.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"compare", "doctor", "jmh", "soak", "study"})
    @Tag("finds:own-strategy-in-programs")
    void ownStrategiesAreOnTheClassPathFromTheDirectoryOfTheCaller(String script) throws Exception {
        pretendBuilt();
        Path jar = jar(caller.resolve("my strategy.jar"), SERVICE);
        Path classes = caller.resolve("classes");
        Files.createDirectories(classes.resolve(SERVICE).getParent());
        Files.createFile(classes.resolve(SERVICE));

        List<String> printed = run(copy.resolve(script), "--classpath", "my strategy.jar:classes", "--classpath=" + jar)
                .lines();

        assertThat(printed.get(printed.indexOf("-cp") + 1))
                .startsWith(copy.toString())
                .endsWith(".jar:" + jar + ":" + classes + ":" + jar);
        assertThat(printed).doesNotContain("--classpath", "--classpath=" + jar);
    }

    @ParameterizedTest
    @CsvSource({
        "missing.jar, there is no file 'CALLER/missing.jar'",
        "a.jar:missing.jar, there is no file 'CALLER/missing.jar'",
        "unregistered.jar, 'no jar or directory there registers a strategy in " + SERVICE + "'",
        ".:text.txt, 'no jar or directory there registers a strategy in " + SERVICE + "'"
    })
    void fileWithoutAStrategyIsRefusedBeforeAnythingIsBuilt(String files, String message) throws Exception {
        jar(caller.resolve("a.jar"), SERVICE);
        jar(caller.resolve("unregistered.jar"), "com/example/Mine.class");
        Files.writeString(caller.resolve("text.txt"), "text");

        assertThat(run(copy.resolve("doctor"), "--classpath", files))
                .isEqualTo(new Printed(
                        2, "doctor: --classpath: " + message.replace("CALLER", caller.toString()) + " (see --help)\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"compare", "doctor", "jmh", "site", "soak", "study"})
    void programIsBuiltIfItIsMissing(String script) throws Exception {
        Printed printed = run(copy.resolve(script));

        assertThat(printed.status()).isEqualTo(3);
        assertThat(printed.text()).startsWith(script + ": " + BUILDS).hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({
        "plain-java, examples/java",
        "reactive, examples/java",
        "spring-boot-invoices, examples/spring-boot-invoices"
    })
    void exampleIsBuiltIfItIsMissing(String example, String module) throws Exception {
        Printed printed = run(copy.resolve("examples/run"), example);

        assertThat(printed.status()).isEqualTo(3);
        assertThat(printed.text()).startsWith("run: " + BUILDS + " " + module);
    }

    /** Creates the jars of the programs, newer than all sources. */
    private void pretendBuilt() throws IOException {
        for (String jar : List.of(
                "benchmarks/target/benchmarks.jar",
                "verify/doctor/target/doctor.jar",
                "verify/study/target/study.jar")) {
            Path file = copy.resolve(jar);
            Files.createDirectories(file.getParent());
            Files.createFile(file);
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(60)));
        }
    }

    private static List<String> usages() {
        return List.of(
                "benchmarks/src/main/resources/org/mongolocks/benchmarks/cli/usage.txt",
                "benchmarks/src/main/resources/org/mongolocks/benchmarks/jmh/usage.txt",
                "verify/doctor/src/main/resources/org/mongolocks/doctor/usage.txt",
                "verify/site/src/main/resources/org/mongolocks/site/usage.txt",
                "verify/study/src/main/resources/org/mongolocks/study/soak-usage.txt",
                "verify/study/src/main/resources/org/mongolocks/study/usage.txt");
    }

    private void copy(String file) throws IOException {
        Path to = copy.resolve(file);
        Files.createDirectories(to.getParent());
        Files.copy(PROJECT.resolve(file), to);
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path jar(Path file, String entry) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file))) {
            out.putNextEntry(new ZipEntry(entry));
        }
        return file;
    }

    private Printed run(Path script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(caller.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", copy.resolve("jdk").toString());
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Printed(process.waitFor(), printed);
    }

    private record Printed(int status, String text) {
        List<String> lines() {
            return text.lines().toList();
        }
    }
}
