package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.LockStorageException;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class MarkedCollectionTest {
    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy();

    @Test
    void errorNamesTheForeignFormatAndTheRemedy() {
        Reply.Failed failure = ForeignFormatException.in(BsonDocument.parse("{_id: 'a', format: 'other/1'}"), "fake/1")
                .orElseThrow();

        LockException error =
                LockTask.of("Acquiring", Lab.NAME, lab.settings(strategy)).exception(failure);

        assertThat(failure.fault()).isEqualTo(Fault.FOREIGN_FORMAT);
        assertThat(error)
                .isInstanceOf(LockStorageException.class)
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
}
