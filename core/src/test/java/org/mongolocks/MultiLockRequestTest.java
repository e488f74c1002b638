package org.mongolocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MultiLockRequestTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    @Test
    void namesAreSortedByTheirBytesAsTheDatabaseDoes() {
        String astral = "\ud83d\udd12";
        String privateUse = "\ue000";

        assertThat(MultiLockRequest.of(List.of("b", astral, "a", privateUse, "aa", "B"), TTL)
                        .names())
                .extracting(LockName::value)
                .containsExactly("B", "a", "aa", "b", privateUse, astral);
        assertThat(astral).as("UTF-16 has another order").isLessThan(privateUse);
    }

    @Test
    void noNameIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.of(List.of(), TTL))
                .withMessage("names must have 1 to 64 elements, had 0");
    }

    @Test
    void tooManyNamesAreRefused() {
        assertThat(MultiLockRequest.of(names(64), TTL).names()).hasSize(64);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.of(names(65), TTL))
                .withMessage("names must have 1 to 64 elements, had 65");
    }

    @Test
    void aNameThatIsThereTwiceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.of(List.of("a", "b", "a"), TTL))
                .withMessage("names must be distinct, but 'a' occurs twice");
    }

    @Test
    void boundsAreTheSameAsOfOneLock() {
        MultiLockRequest request = MultiLockRequest.of(List.of("a"), TTL);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.of(List.of("a"), Duration.ofMillis(99)))
                .withMessageStartingWith("ttl must be from");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.waitAtMost(Duration.ofDays(366)))
                .withMessageStartingWith("waitAtMost must be from");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.note("x".repeat(257)))
                .withMessageStartingWith("note must have at most");
    }

    @Test
    void everyOptionKeepsTheOthers() {
        MultiLockRequest all = MultiLockRequest.of(List.of("b", "a"), TTL)
                .note("nightly")
                .keepAliveAtMost(TTL.multipliedBy(2))
                .waitAtMost(Duration.ofSeconds(2))
                .note("nightly run");

        assertThat(all.names()).containsExactly(LockName.of("a"), LockName.of("b"));
        assertThat(all.ttl()).isEqualTo(TTL);
        assertThat(all.waitAtMost()).isEqualTo(Duration.ofSeconds(2));
        assertThat(all.isKeptAlive()).isTrue();
        assertThat(all.note()).contains("nightly run");
        assertThat(all.keepAliveLimit()).contains(TTL.multipliedBy(2));
        assertThat(all.forOne(LockName.of("b")))
                .isEqualTo(LockRequest.of("b", TTL)
                        .note("nightly run")
                        .keepAliveAtMost(TTL.multipliedBy(2))
                        .waitAtMost(Duration.ofSeconds(2)));
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }
}
