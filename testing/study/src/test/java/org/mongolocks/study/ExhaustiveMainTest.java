package org.mongolocks.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExhaustiveMainTest {
    private final ProgramRun program = new ProgramRun();

    @Test
    void tableShowsTheShortestCounterExample() {
        assertThat(program.of("--exhaustive", "--technique", "textbook-version-update"))
                .isZero();

        assertThat(program.printed())
                .contains("| textbook-version-update | one fault | 2 | 1 | 3 | 1 |", "hold the lock", "0 of 0 twins")
                .containsSubsequence("client 0: textbook-version-update/read is executed", "client 1:");
    }

    @Test
    void pageDrawsTheCounterExample(@TempDir Path directory) throws IOException {
        assertThat(program.of("--exhaustive", "--technique", "textbook-version-update", "--out", directory.toString()))
                .isZero();

        String page = Files.readString(directory.resolve("exhaustive.html"));
        String json = page.substring(page.indexOf("{", page.indexOf("application/json")));
        Document picture = Document.parse(json.substring(0, json.indexOf("</script>")));
        assertThat(picture.getList("processes", String.class)).containsExactly("client 0", "server", "client 1");
        assertThat(picture.getList("bars", Document.class))
                .extracting(bar -> bar.getInteger("band"))
                .containsExactlyInAnyOrder(0, 2);
        assertThat(picture.getList("conflicts", Document.class))
                .extracting(conflict -> conflict.getString("words"))
                .containsExactly("clients [0, 1] hold the lock");
        assertThat(program.printed())
                .contains(
                        "Written: " + directory.resolve("exhaustive.json"),
                        directory.resolve("exhaustive.html").toString());
    }

    @Test
    void pageOfTheMatrixShowsHowManyStatesWereSearchedWhole(@TempDir Path directory) throws IOException {
        String out = directory.toString();
        Files.writeString(directory.resolve("exhaustive.json"), """
                {"worlds": [
                    {"technique": "flag-update", "isWhole": true, "states": 123, "found": null},
                    {"technique": "flag-update", "isWhole": true, "states": 1000, "found": null},
                    {"technique": "insert-unique", "isWhole": false, "states": 777, "found": null},
                    {"technique": "transactional", "isWhole": true, "states": 888, "found": "wrong"}]}""");

        program.of("--scenario", "healthy", "--seeds", "1", "--out", out);

        assertThat(Files.readString(directory.resolve("study.html")))
                .contains("1,123 states")
                .doesNotContain("777 states", "888 states");
    }

    @Test
    void otherOptionsAreRefused() {
        program.assertRefused("leave out --exhaustive or --seeds", "--exhaustive", "--seeds", "2");
        program.assertRefused("leave out --exhaustive or --uri", "--exhaustive", "--uri", "embedded");
        program.assertRefused("leave out --exhaustive or --waiting", "--exhaustive", "--waiting");
    }
}
