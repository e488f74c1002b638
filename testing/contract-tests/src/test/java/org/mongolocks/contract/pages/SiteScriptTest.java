package org.mongolocks.contract.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of {@code ./site} in a copy of the project, with programs in place of Node and npm. */
@DisabledOnOs(OS.WINDOWS)
class SiteScriptTest {
    private static final Path PROJECT = Path.of("..", "..").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    private Path copy;

    @BeforeEach
    void copyScript() throws IOException {
        copy = Files.createDirectories(directory.resolve("a copy/docs/site"))
                .getParent()
                .getParent();
        for (String file : List.of("site", "docs/site/usage.txt", "docs/site/package-lock.json")) {
            Files.copy(PROJECT.resolve(file), copy.resolve(file));
        }
        Files.createDirectory(directory.resolve("bin"));
    }

    @Test
    void helpNeedsNoNode() throws Exception {
        assertThat(run("--help")).isEqualTo(new Printed(0, Files.readString(PROJECT.resolve("docs/site/usage.txt"))));
    }

    @Test
    void withoutNodeItSaysWhichVersionItNeeds() throws Exception {
        assertThat(run("--pages")).isEqualTo(needsNode("none"));
    }

    @ParameterizedTest
    @CsvSource({"v18.20.8", "v8.0.0"})
    void olderNodeIsRefused(String version) throws Exception {
        program("node", "echo " + version);

        assertThat(run("--pages")).isEqualTo(needsNode(version));
    }

    private static Printed needsNode(String found) {
        return new Printed(
                3,
                "site: needs Node.js 20 or later (https://nodejs.org), found: " + found
                        + ". Nothing else in this project needs it.\n");
    }

    @Test
    void packagesAreInstalledOnceAndArgumentsReachTheProgramAsTheyAre() throws Exception {
        program("node", "[ \"$1\" = --version ] && echo v20.20.2 || printf '%s\\n' \"$@\"");
        program("npm", "mkdir node_modules && touch node_modules/.package-lock.json");
        String program = copy.resolve("docs/site/site.mjs") + "\n--out\nsome where\n--pages\n";

        assertThat(run("--out", "some where", "--pages"))
                .isEqualTo(new Printed(0, "site: installing its packages by npm ci, once\n" + program));
        assertThat(run("--out", "some where", "--pages")).isEqualTo(new Printed(0, program));
    }

    @ParameterizedTest
    @CsvSource({
        "npm error code EAI_AGAIN, 3, 'site: cannot reach the registry of npm, from which its packages come\n'",
        "npm error code EUSAGE, 1, ''",
        "npm error code EINTEGRITY, 1, ''"
    })
    void onlyARegistryThatCannotBeReachedIsToldApart(String error, int status, String reason) throws Exception {
        program("node", "echo v22.1.0");
        program("npm", "echo '" + error + "' >&2; exit 1");

        assertThat(run("--pages"))
                .isEqualTo(
                        new Printed(status, "site: installing its packages by npm ci, once\n" + error + "\n" + reason));
    }

    private void program(String name, String text) throws IOException {
        Path file = directory.resolve("bin").resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Programs of the system that the script needs are linked, so that no Node of this machine is found. */
    private Printed run(String... arguments) throws IOException, InterruptedException {
        Path bin = directory.resolve("bin");
        for (String name :
                List.of("sh", "cat", "dirname", "readlink", "find", "mktemp", "rm", "grep", "mkdir", "touch")) {
            Path link = bin.resolve(name);
            if (!Files.exists(link)) {
                Files.createSymbolicLink(link, installed(name));
            }
        }
        List<String> command = new ArrayList<>(List.of(copy.resolve("site").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().put("PATH", bin.toString());
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Printed(process.waitFor(), printed);
    }

    private static Path installed(String name) {
        return List.of(System.getenv("PATH").split(":", -1)).stream()
                .map(each -> Path.of(each, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    private record Printed(int status, String text) {}
}
