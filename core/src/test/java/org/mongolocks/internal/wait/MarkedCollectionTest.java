package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.LockFormatException;
import org.mongolocks.SchemaMode;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.schema.ClientStartup;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class MarkedCollectionTest {
    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy() {
        @Override
        public Optional<String> format() {
            return Optional.of("fake/1");
        }
    };
    private final List<MongoOp> sent = new ArrayList<>();

    @Test
    void clientReadsTheFormatOfAnyOneDocument() {
        assertThat(prepared("{_id: 'a', format: 'fake/1'}")).isEqualTo(Step.done(List.of()));
        assertThat(sent)
                .element(1)
                .isEqualTo(new MongoOp.FindOne(
                        strategy.name() + "/find-any",
                        "locks",
                        new BsonDocument(),
                        Optional.of(BsonDocument.parse("{format: 1}"))));
    }

    @Test
    void anotherMarkOrNoneEndsThePreparation() {
        assertThat(prepared("{_id: 'a', format: 'other/1'}")).isEqualTo(refusal("{format: 'other/1'}"));
        assertThat(prepared("{_id: 'a', format: 7}")).isEqualTo(refusal("{format: 7}"));
        assertThat(prepared("{_id: 'a'}")).isEqualTo(refusal("{}"));
    }

    @Test
    void errorNamesTheForeignFormatAndTheRemedy() {
        Reply.Failed failure = ForeignFormatException.in(BsonDocument.parse("{_id: 'a', format: 'other/1'}"), "fake/1")
                .orElseThrow();

        LockException error =
                LockTask.of("Acquiring", Lab.NAME, lab.settings(strategy)).exception(failure);

        assertThat(failure.fault()).isEqualTo(Fault.FOREIGN_FORMAT);
        assertThat(error)
                .isInstanceOf(LockFormatException.class)
                .hasMessage("Acquiring lock 'a' with strategy '" + strategy.name()
                        + "' in collection 'locks' was refused: the document with _id 'a' in collection 'locks' is of format 'other/1', and"
                        + " this strategy reads only 'fake/1'. It was not changed. Give each strategy a collection of its"
                        + " own.");
    }

    @Test
    void errorOfAnotherVersionNamesItsRemedy() {
        Reply.Failed failure = ForeignFormatException.in(BsonDocument.parse("{_id: 'a', format: 'fake/0'}"), "fake/1")
                .orElseThrow();

        assertThat(LockTask.of("Acquiring", Lab.NAME, lab.settings(strategy)).exception(failure))
                .hasMessageContaining("Another version of this library wrote it")
                .hasMessageContaining("'Change of format' in docs/operations.md");
    }

    @Test
    void aForeignDocumentIsNotAskedForAgain() {
        Reply.Failed failure =
                ForeignFormatException.in(new BsonDocument(), "fake/1").orElseThrow();
        FakeStrategy foreign = new FakeStrategy().answers(context -> Step.fail(failure));

        assertThat(lab.run(lab.acquisition(foreign, Lab.TTL).start())).isEqualTo(Step.fail(failure));
        assertThat(foreign.acquires).hasSize(1);
        assertThat(lab.pauses).isEmpty();
    }

    private static Step<List<String>> refusal(String document) {
        return Step.fail(ForeignFormatException.in(BsonDocument.parse(document), "fake/1")
                .orElseThrow());
    }

    private Step<List<String>> prepared(String anyDocument) {
        Step<List<String>> step = new ClientStartup(lab.settings(strategy, SchemaMode.NONE)).start();
        Reply hello = Reply.Found.of(BsonDocument.parse("{setName: 'rs0', maxWireVersion: 9}"));
        Reply noCollections = new Reply.FoundMany(List.of());
        for (Reply reply : List.of(hello, Reply.Found.of(BsonDocument.parse(anyDocument)), noCollections)) {
            if (step instanceof Step.Call<List<String>> call) {
                sent.add(call.op());
                step = call.then().apply(reply);
            }
        }
        return step;
    }
}
