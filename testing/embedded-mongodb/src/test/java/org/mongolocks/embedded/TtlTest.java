package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.ids;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.support.TestEngine;

/** Expired documents are deleted by a monitor that runs on the clock of the engine. */
class TtlTest {
    private final TestEngine engine = TestEngine.create(builder -> builder.ttlMonitorSeconds(10));

    @Test
    void aDocumentIsDeletedByTheFirstPassAfterItsTime() {
        engine.run("{createIndexes: 'c', indexes: [{key: {at: 1}, name: 'at', expireAfterSeconds: 15}]}");
        engine.run("{insert: 'c', documents: [{_id: 1, at: {$date: '2026-11-20T12:00:00Z'}}]}");

        engine.advance(Duration.ofSeconds(19));
        assertThat(ids(engine.run("{find: 'c'}"))).containsExactly("1");
        engine.advance(Duration.ofSeconds(1));

        assertThat(ids(engine.run("{find: 'c'}"))).isEmpty();
    }

    @Test
    void ttlFieldMayBeNested() {
        engine.run("{createIndexes: 'c', indexes: [{key: {'lease.expiresAt': 1}, name: 'at', expireAfterSeconds: 0}]}");
        engine.run("""
                {insert: 'c', documents: [
                  {_id: 'expired', lease: {expiresAt: {$date: '2026-11-20T12:00:00Z'}}},
                  {_id: 'live', lease: {expiresAt: {$date: '2026-11-21T12:00:00Z'}}},
                  {_id: 'no lease', lease: 5}]}""");

        engine.advance(Duration.ofSeconds(10));

        assertThat(ids(engine.run("{find: 'c'}"))).containsExactly("live", "no lease");
    }

    @Test
    void collModChangesWhenDocumentsExpire() {
        engine.run("{createIndexes: 'c', indexes: [{key: {at: 1}, name: 'at', expireAfterSeconds: 3600}]}");
        engine.run("{insert: 'c', documents: [{_id: 1, at: {$date: '2026-11-20T12:00:00Z'}}]}");

        engine.run("{collMod: 'c', index: {name: 'at', expireAfterSeconds: 5}}");
        engine.advance(Duration.ofSeconds(10));

        assertThat(ids(engine.run("{find: 'c'}"))).isEmpty();
    }
}
