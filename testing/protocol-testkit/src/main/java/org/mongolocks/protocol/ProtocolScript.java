package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.bson.BsonDocument;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * A test of a program with scripted replies, which checks each operation before it is answered.
 *
 * <pre>{@code
 * ProtocolScript.of(strategy.acquire(ProtocolFixture.firstAttempt()))
 *         .sends("flag-update/set-flag")
 *         .receives(failed(Fault.DUPLICATE_KEY))
 *         .sends("flag-update/acquire-or-extend", "{findAndModify: 'locks', query: {_id: '$job'}, update: ...}")
 *         .receives(found(stored.heldBy(ProtocolFixture.ME)))
 *         .endsWith(ProtocolFixture.acquired(LockDocumentFixtures.TOKEN));
 * }</pre>
 *
 * Immutable: a common beginning can be continued in two ways.
 *
 * @param <R> the result of the program
 */
public final class ProtocolScript<R> {
    private final Step<R> step;

    private ProtocolScript(Step<R> step) {
        this.step = step;
    }

    /**
     * Starts a script.
     *
     * @param program the program
     * @param <R> the result of the program
     * @return the script
     */
    public static <R> ProtocolScript<R> of(Step<R> program) {
        return new ProtocolScript<>(program);
    }

    /**
     * Expects an operation next.
     *
     * @param label the label of the operation
     * @return this script, at the same place
     */
    public ProtocolScript<R> sends(String label) {
        assertThat(operation().label()).isEqualTo(label);
        return this;
    }

    /**
     * Expects an operation next, in every detail.
     *
     * @param label the label of the operation
     * @param command the command in the syntax of MongoDB's shell: {@code findAndModify}, {@code update} and
     *     {@code delete} with {@code query}, {@code update} and {@code upsert}; {@code find} with {@code filter} and
     *     {@code projection}; {@code insert} with {@code document}; {@code startTransaction: 1} and the like. A 64-bit
     *     integer is written {@code NumberLong(1)}.
     * @return this script, at the same place
     */
    public ProtocolScript<R> sends(String label, String command) {
        sends(label);
        assertThat(CommandRenderer.indented(CommandRenderer.of(operation())))
                .isEqualTo(CommandRenderer.indented(BsonDocument.parse(command)));
        return this;
    }

    /**
     * Answers the operation.
     *
     * @param reply the reply
     * @return the script, one operation further
     */
    public ProtocolScript<R> receives(Reply reply) {
        return new ProtocolScript<>(call().then().apply(reply));
    }

    /**
     * Expects a pause next, and skips it.
     *
     * @param delay the length of the pause
     * @return the script, after the pause
     */
    public ProtocolScript<R> pauses(Duration delay) {
        assertThat(step).isInstanceOf(Step.Pause.class);
        Step.Pause<R> pause = (Step.Pause<R>) step;
        assertThat(pause.delay()).isEqualTo(delay);
        return new ProtocolScript<>(pause.then().get());
    }

    /**
     * Expects the end.
     *
     * @param result the result
     */
    public void endsWith(R result) {
        assertThat(step).isEqualTo(Step.done(result));
    }

    /**
     * Expects the end without a result.
     *
     * @param failure the reply that the program fails with
     */
    public void failsWith(Reply.Failed failure) {
        assertThat(step).isEqualTo(Step.fail(failure));
    }

    private MongoOp operation() {
        return call().op();
    }

    private Step.Call<R> call() {
        assertThat(step).as("the next step").isInstanceOf(Step.Call.class);
        return (Step.Call<R>) step;
    }
}
