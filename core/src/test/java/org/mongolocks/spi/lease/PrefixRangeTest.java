package org.mongolocks.spi.lease;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.lease.ListProgram.PrefixRange;

class PrefixRangeTest {
    @Test
    void aPrefixIsARangeOfTexts() {
        assertThat(PrefixRange.startingWith("ab")).isEqualTo(BsonDocument.parse("{$gte: 'ab', $lt: 'ac'}"));
        assertThat(PrefixRange.startingWith("a.*")).isEqualTo(BsonDocument.parse("{$gte: 'a.*', $lt: 'a.+'}"));
    }

    @Test
    void noPrefixIsEveryText() {
        assertThat(PrefixRange.startingWith("")).isEqualTo(BsonDocument.parse("{$gte: ''}"));
    }

    @Test
    void theLastCharacterIsLeftOutWhereNoneFollows() {
        String last = Character.toString(Character.MAX_CODE_POINT);

        assertThat(PrefixRange.firstBeyond("a" + last + last)).contains("b");
        assertThat(PrefixRange.firstBeyond(last)).isEmpty();
    }

    @Test
    void noHalfOfACharacterIsMade() {
        assertThat(PrefixRange.firstBeyond("\ud7ff")).contains("\ue000");
        assertThat(PrefixRange.firstBeyond("\ud83d\ude00")).contains("\ud83d\ude01");
        assertThat(PrefixRange.firstBeyond("\uffff")).contains("\ud800\udc00");
    }

    /** The server compares the bytes of UTF-8. */
    @Test
    void aTextIsInTheRangeIfAndOnlyIfItBeginsSo() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] some = {'a', 'b', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, Character.MAX_CODE_POINT};
        for (int round = 0; round < 20_000; round++) {
            String prefix = text(random, some, 2);
            String text = text(random, some, 4);

            assertThat(isInRange(text, prefix))
                    .as("seed %d: '%s' begins with '%s'", seed, text, prefix)
                    .isEqualTo(text.startsWith(prefix));
        }
    }

    private static boolean isInRange(String text, String prefix) {
        return compare(text, prefix) >= 0
                && PrefixRange.firstBeyond(prefix)
                        .map(end -> compare(text, end) < 0)
                        .orElse(true);
    }

    private static int compare(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8));
    }

    private static String text(Random random, int[] characters, int most) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(most + 1); length > 0; length--) {
            text.appendCodePoint(characters[random.nextInt(characters.length)]);
        }
        return text.toString();
    }
}
