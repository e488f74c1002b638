package org.mongolocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LockQueryTest {
    @Test
    void eachPartIsSetByItself() {
        LockQuery query = LockQuery.all()
                .prefix("a/")
                .heldOnly()
                .instance("worker-1")
                .after("a/b")
                .limit(7);

        assertThat(query.prefix()).isEqualTo("a/");
        assertThat(query.isHeldOnly()).isTrue();
        assertThat(query.instance()).contains("worker-1");
        assertThat(query.after()).contains("a/b");
        assertThat(query.limit()).isEqualTo(7);
        assertThat(query).hasToString("LockQuery[a/, true, Optional[worker-1], Optional[a/b], 7]");
        assertThat(LockQuery.all())
                .isEqualTo(LockQuery.all().prefix("").limit(LockQuery.DEFAULT_LIMIT))
                .isNotEqualTo(query);
    }

    @Test
    void aPageHasABound() {
        assertThat(LockQuery.all().limit(LockQuery.MAX_LIMIT).limit()).isEqualTo(1000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockQuery.all().limit(1001))
                .withMessageContaining("from 1 to 1000")
                .withMessageContaining("1001");
        assertThatIllegalArgumentException().isThrownBy(() -> LockQuery.all().limit(0));
    }

    @Test
    void aPrefixIsTextThatANameCanBeginWith() {
        assertThat(LockQuery.all().prefix("x".repeat(512)).prefix()).hasSize(512);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockQuery.all().prefix("x".repeat(513)))
                .withMessageContaining("at most 512 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockQuery.all().prefix("a\ud83d"))
                .withMessageContaining("unpaired surrogate");
    }

    @Test
    void anInstanceIsOneThatAnOwnerMayHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockQuery.all().instance("worker/1"))
                .withMessageContaining("worker/1");
    }
}
