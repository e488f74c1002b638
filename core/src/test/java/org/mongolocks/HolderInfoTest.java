package org.mongolocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mongolocks.HolderInfo.HostName;

class HolderInfoTest {
    @Test
    void holderInfoHasHostProcessAndThread() throws Exception {
        HolderInfo[] found = new HolderInfo[1];
        Thread asking = new Thread(() -> found[0] = HolderInfo.of("billing-3"), "asking");
        asking.start();
        asking.join();

        assertThat(found[0].host()).contains("billing-3");
        assertThat(found[0].processId()).hasValue(ProcessHandle.current().pid());
        assertThat(found[0].thread()).contains("asking");
        assertThat(found[0].note()).isEmpty();
        assertThat(found[0]).isEqualTo(HolderInfo.ofStored(found[0].stored())).isNotEqualTo(HolderInfo.none());
    }

    @Test
    void theHostIsTheSameForEveryThread() {
        assertThat(HolderInfo.ofThisThread().host()).isEqualTo(HostName.NAME);
    }

    @Test
    void aHostIsReadFromAFileOrNotAtAll(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("hostname"), "batch-7");

        assertThat(HostName.read(file)).contains("batch-7");
        assertThat(HostName.read(directory.resolve("none"))).isEmpty();
    }

    @Test
    void emptyNamesAreLeftOut() {
        assertThat(HolderInfo.of("").host()).isEmpty();
        assertThat(HolderInfo.none().withNote(Optional.of("nightly run")).note())
                .contains("nightly run");
    }

    @Test
    void aTextIsCutBetweenTwoCharacters() {
        String threeBytesEach = "\u20ac".repeat(100);
        String fourBytesEach = "\ud83d\ude00".repeat(100);

        assertThat(HolderInfo.of(threeBytesEach).host()).contains("\u20ac".repeat(85));
        assertThat(HolderInfo.of(fourBytesEach).host()).contains("\ud83d\ude00".repeat(64));
    }

    @Test
    void aTextOfExactlyTheBoundStays() {
        String longest = "x".repeat(HolderInfo.MAX_BYTES);

        assertThat(HolderInfo.of(longest).host()).contains(longest);
        assertThat(HolderInfo.of(longest + "y").host()).contains(longest);
    }

    @Test
    void halfACharacterIsStoredAsText() {
        String stored = HolderInfo.of("a\ud83d").host().orElseThrow();

        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(stored)).isTrue();
        assertThat(stored).isEqualTo("a?");
    }
}
