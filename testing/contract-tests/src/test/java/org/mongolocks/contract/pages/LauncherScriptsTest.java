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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the launcher scripts in a copy of the project that has no sources, and whose Java prints its arguments. Its
 * Maven fails, unless a test replaces it.
 */
@DisabledOnOs(OS.WINDOWS)
class LauncherScriptsTest {
    private static final Path PROJECT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final String SERVICE = "META-INF/services/org.mongolocks.spi.LockStrategy";
    private static final String LIBRARY = "META-INF/services/org.mongolocks.peers.PeerLibrary";
    private static final List<String> ARTIFACTS = List.of(
            "mongo-locks-benchmarks",
            "mongo-locks-doctor",
            "mongo-locks-site",
            "mongo-locks-correctness-study",
            "mongo-locks-example-java",
            "mongo-locks-example-spring-boot-invoices");
    /** A build that succeeds: notes its arguments, and says that it builds a module. */
    private static final String MAVEN = """
            #!/bin/sh
            echo "$@" >> "%1$s/maven.txt"
            for argument; do
                case $argument in -Dprograms.directory=*) directory=${argument#*=} ;; esac
            done
            echo "[INFO] Building mongo-locks core 0.1.0-SNAPSHOT           [6/24]"
            for artifact in %2$s; do
                mkdir -p "$directory/$artifact/classes"
                printf '%%s' "%1$s/a library.jar" > "$directory/$artifact/classpath.txt"
            done
            """;

    @TempDir
    private Path directory;

    private Path copy;
    private Path caller;

    @BeforeEach
    void copyScripts() throws IOException {
        copy = Files.createDirectory(directory.resolve("a copy"));
        caller = Files.createDirectory(directory.resolve("the caller"));
        for (String script : List.of("compare", "doctor", "jmh", "soak", "study")) {
            copy(script);
        }
        for (String script : List.of("examples/run", ".mvn/launcher.sh", ".mvn/module.sh")) {
            copy(script);
        }
        for (String usage : usages()) {
            copy(usage);
        }
        executable(copy.resolve("jdk/bin/java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        executable(copy.resolve("mvnw"), "#!/bin/sh\necho '[INFO] fine'\necho '[ERROR] no compiler'\nexit 1\n");
        Files.writeString(copy.resolve("pom.xml"), "");
    }

    @ParameterizedTest
    @CsvSource({
        "compare, benchmarks/src/main/resources/org/mongolocks/benchmarks/cli/usage.txt",
        "doctor, testing/doctor/src/main/resources/org/mongolocks/doctor/usage.txt",
        "jmh, benchmarks/src/main/resources/org/mongolocks/benchmarks/jmh/usage.txt",
        "soak, testing/study/src/main/resources/org/mongolocks/study/soak-usage.txt",
        "study, testing/study/src/main/resources/org/mongolocks/study/usage.txt"
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
        "study, --waiting --technique flag-update",
        "jmh, -f 1 -jvmArgs --enable-preview Uncontended"
    })
    void knownArgumentsReachTheProgramAsTheyAre(String script, String arguments) throws Exception {
        buildsSucceed();
        List<String> given = List.of(arguments.split(" ", -1));

        assertThat(run(copy.resolve(script), given.toArray(String[]::new)).lines())
                .endsWith(given.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"compare", "doctor", "jmh", "soak", "study"})
    @Tag("finds:own-strategy-in-programs")
    void ownStrategiesAreOnTheClassPathFromTheDirectoryOfTheCaller(String script) throws Exception {
        buildsSucceed();
        Path jar = jar(caller.resolve("my strategy.jar"), SERVICE);
        Path classes = caller.resolve("classes");
        Files.createDirectories(classes.resolve(SERVICE).getParent());
        Files.createFile(classes.resolve(SERVICE));

        List<String> printed = run(copy.resolve(script), "--classpath", "my strategy.jar:classes", "--classpath=" + jar)
                .lines();

        assertThat(printed.get(printed.indexOf("-cp") + 1))
                .startsWith(copy.resolve("target/programs").toString())
                .endsWith("/classes:" + copy.resolve("a library.jar") + ":" + jar + ":" + classes + ":" + jar);
        assertThat(printed).doesNotContain("--classpath", "--classpath=" + jar);
    }

    @ParameterizedTest
    @CsvSource({
        "missing.jar, there is no file 'CALLER/missing.jar'",
        "a.jar:missing.jar, there is no file 'CALLER/missing.jar'",
        "unregistered.jar, no jar or directory there registers anything in " + SERVICE,
        "library.jar, no jar or directory there registers anything in " + SERVICE,
        ".:text.txt, no jar or directory there registers anything in " + SERVICE
    })
    void fileWithoutAStrategyIsRefusedBeforeAnythingIsBuilt(String files, String message) throws Exception {
        jar(caller.resolve("a.jar"), SERVICE);
        jar(caller.resolve("unregistered.jar"), "com/example/Mine.class");
        jar(caller.resolve("library.jar"), LIBRARY);
        Files.writeString(caller.resolve("text.txt"), "text");

        assertThat(run(copy.resolve("doctor"), "--classpath", files))
                .isEqualTo(new Printed(
                        2, "doctor: --classpath: " + message.replace("CALLER", caller.toString()) + " (see --help)\n"));
    }

    @Test
    void libraryIsForTheStudyAlone() throws Exception {
        buildsSucceed();
        jar(caller.resolve("library.jar"), LIBRARY);

        assertThat(run(copy.resolve("study"), "--classpath", "library.jar").status())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"compare", "doctor", "jmh", "soak", "study"})
    void failedBuildPrintsItsErrors(String script) throws Exception {
        Printed printed = run(copy.resolve(script));

        assertThat(printed.status()).isEqualTo(3);
        assertThat(printed.text())
                .startsWith(script + ": building the programs")
                .contains("[ERROR] no compiler")
                .contains("the build failed")
                .doesNotContain("[INFO]");
    }

    @ParameterizedTest
    @CsvSource({
        "plain-java, examples/java",
        "reactive, examples/java",
        "spring-boot-invoices, examples/spring-boot-invoices"
    })
    void exampleIsBuiltIfItIsMissing(String example, String module) throws Exception {
        buildsSucceed();

        Printed printed = run(copy.resolve("examples/run"), example);

        assertThat(printed.status()).isZero();
        assertThat(builds()).singleElement().asString().contains("-pl " + module + " -am");
    }

    @Test
    @Tag("finds:silent-builds")
    void buildSaysEachModuleWithTheTimeSoFar() throws Exception {
        buildsSucceed();

        List<String> printed = run(copy.resolve("study")).lines();

        assertThat(printed.get(0)).startsWith("study: building the programs");
        assertThat(printed.get(1)).matches("study: \\d+ s: mongo-locks core \\(6 of 24\\)");
        assertThat(printed.get(2)).matches("study: \\d+ s: built");
    }

    @Test
    @Tag("finds:silent-builds")
    void oneBuildServesAllPrograms() throws Exception {
        buildsSucceed();

        for (String script : List.of("compare", "doctor", "jmh", "soak", "study")) {
            assertThat(run(copy.resolve(script)).status()).isZero();
        }

        assertThat(builds()).hasSize(1);
    }

    @Test
    void programIsBuiltAgainIfASourceIsNewerOrALibraryIsGone() throws Exception {
        buildsSucceed();
        run(copy.resolve("doctor"));
        Path pom = copy.resolve("pom.xml");
        Files.setLastModifiedTime(pom, FileTime.from(Instant.now().plusSeconds(60)));

        run(copy.resolve("doctor"));
        assertThat(builds()).hasSize(2);

        Files.setLastModifiedTime(pom, FileTime.from(Instant.EPOCH));
        run(copy.resolve("doctor"));
        assertThat(builds()).hasSize(2);

        Files.delete(copy.resolve("a library.jar"));
        assertThat(run(copy.resolve("doctor")).status()).isEqualTo(3);
        assertThat(builds()).hasSize(3);
    }

    @Test
    void sourceFromTheFutureKeepsNoProgramFromStarting() throws Exception {
        buildsSucceed();
        Files.setLastModifiedTime(
                copy.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(600)));

        assertThat(run(copy.resolve("doctor")).status()).isZero();
    }

    @Test
    void buildThatFailedAtItsEndIsNotUsed() throws Exception {
        buildsSucceed();
        executable(copy.resolve("mvnw"), Files.readString(copy.resolve("mvnw")) + "exit 1\n");
        assertThat(run(copy.resolve("doctor")).status()).isEqualTo(3);

        buildsSucceed();
        assertThat(run(copy.resolve("doctor")).status()).isZero();

        assertThat(builds()).hasSize(2);
    }

    @Test
    void interruptedBuildIsNotUsed() throws Exception {
        buildsSucceed();
        executable(copy.resolve("mvnw"), Files.readString(copy.resolve("mvnw")) + "kill -KILL $PPID\n");
        assertThat(run(copy.resolve("doctor")).status()).isEqualTo(3);

        buildsSucceed();
        assertThat(run(copy.resolve("doctor")).status()).isZero();

        assertThat(builds()).hasSize(2);
    }

    @Test
    void twoScriptsAtOnceMakeTwoBuilds() throws Exception {
        buildsSucceed();
        String maven = Files.readString(copy.resolve("mvnw"));
        executable(copy.resolve("mvnw"), maven + "exec ./other\n");
        executable(copy.resolve("other"), """
                #!/bin/sh
                rm other mvnw
                cp mvnw.other mvnw
                "./study" > study.txt 2>&1
                """);
        executable(copy.resolve("mvnw.other"), maven);

        Printed doctor = run(copy.resolve("doctor"));

        assertThat(doctor.status()).isZero();
        assertThat(doctor.text()).contains("org.mongolocks.doctor.Doctor");
        assertThat(Files.readString(copy.resolve("study.txt"))).contains("org.mongolocks.study.StudyMain");
        assertThat(builds()).hasSize(2).doesNotHaveDuplicates();
    }

    /** Replaces Maven by one that writes the class paths of all programs. */
    private void buildsSucceed() throws IOException {
        executable(copy.resolve("mvnw"), MAVEN.formatted(copy, String.join(" ", ARTIFACTS)));
        Path library = copy.resolve("a library.jar");
        if (Files.notExists(library)) {
            Files.createFile(library);
        }
    }

    private List<String> builds() throws IOException {
        return Files.readAllLines(copy.resolve("maven.txt"));
    }

    private static List<String> usages() {
        return List.of(
                "benchmarks/src/main/resources/org/mongolocks/benchmarks/cli/usage.txt",
                "benchmarks/src/main/resources/org/mongolocks/benchmarks/jmh/usage.txt",
                "testing/doctor/src/main/resources/org/mongolocks/doctor/usage.txt",
                "testing/study/src/main/resources/org/mongolocks/study/soak-usage.txt",
                "testing/study/src/main/resources/org/mongolocks/study/usage.txt");
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
