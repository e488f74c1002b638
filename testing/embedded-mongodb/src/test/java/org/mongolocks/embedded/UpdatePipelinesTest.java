package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.n;

import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.support.TestEngine;

/** A server that has no update pipelines, and one that has. */
class UpdatePipelinesTest {
    private static final String UPDATE = "{update: 'c', updates: [{q: {_id: 1}, u: [{$set: {a: 1}}], upsert: true}]}";
    private static final String FIND_AND_MODIFY =
            "{findAndModify: 'c', query: {_id: 1}, update: [{$set: {a: 1}}], upsert: true}";

    private final TestEngine without = TestEngine.create(builder -> builder.withoutUpdatePipelines(8));
    private final TestEngine usual = TestEngine.create(builder -> builder);

    @Test
    void aPipelineIsRefusedAndNothingIsWritten() {
        assertThat(code(without.run(UPDATE))).isEqualTo(9);
        assertThat(code(without.run(FIND_AND_MODIFY))).isEqualTo(9);

        assertThat(n(without.run("{count: 'c'}"))).isZero();
        assertThat(code(usual.run(UPDATE))).isZero();
        assertThat(code(usual.run(FIND_AND_MODIFY))).isZero();
    }

    @Test
    void operatorsWork() {
        assertThat(code(without.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {a: 1}}, upsert: true}]}")))
                .isZero();

        assertThat(n(without.run("{count: 'c'}"))).isOne();
    }

    @Test
    void theWireVersionIsTheClaimedOne() {
        assertThat(without.run("{isMaster: 1}").getInt32("maxWireVersion").getValue())
                .isEqualTo(8);
        assertThat(usual.run("{isMaster: 1}").getInt32("maxWireVersion").getValue())
                .isEqualTo(9);
    }
}
