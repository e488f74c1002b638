package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;

class LawTest {
    private static final AcquireStub GRANTS_AFTER_A_LOST_REPLY = AcquireStub.acquiring(context -> Step.call(
            AcquireStub.acquireOrExtend(context),
            reply -> reply.failedWith(Fault.AMBIGUOUS)
                    ? Step.done(context.acquired(1))
                    : AcquireStub.interpret(context, reply)));

    @Test
    @Tag("finds:laws-without-words")
    void firstLineHasTheLawTheDeedAndWhatToDoInstead() {
        List<String> lines = failureOf(
                        ProtocolLaws::grantIsConfirmedByOwnerInWrittenDocument, GRANTS_AFTER_A_LOST_REPLY)
                .lines()
                .toList();

        assertThat(lines.get(0))
                .startsWith("A lock is acquired only by a document that a write returned, with the caller as its owner."
                        + " But")
                .contains("\"acquire, first attempt\" after stub/acquire was answered by AMBIGUOUS it ended with"
                        + " Acquired")
                .contains("Instead, end with Acquired only for the owner");
        assertThat(lines.get(1)).matches("1 of \\d+ paths break this law");
    }

    @Test
    @Tag("finds:laws-without-words")
    void lawOfOperationsShowsTheOperation() {
        AcquireStub unlabelled = AcquireStub.acquiring(context -> Step.call(
                new MongoOp.FindOne(
                        "other/read", LockSchema.LOCKS, LeaseDocument.named(context.name()), Optional.empty()),
                read -> AcquireStub.correct().acquire(context)));

        assertThat(failureOf(ProtocolLaws::operationIsLabelled, unlabelled))
                .startsWith("A label is the name of the strategy, a slash, and a place in its protocol. But in"
                        + " \"acquire, first attempt\" it sends other/read  ")
                .contains("Instead, use label(\"place\").\n");
    }

    @Test
    @Tag("finds:laws-without-words")
    void atMostThreePathsAreShown() {
        AcquireStub grantsAlways = AcquireStub.acquiring(
                context -> Step.call(AcquireStub.acquireOrExtend(context), reply -> Step.done(context.acquired(1))));

        String failure = failureOf(ProtocolLaws::grantIsConfirmedByOwnerInWrittenDocument, grantsAlways);

        assertThat(failure.lines().filter(line -> line.startsWith("ends with"))).hasSize(3);
        assertThat(failure).contains("paths break this law; -Dmongolocks.paths=N prints N,");
    }

    @Test
    @Tag("finds:laws-without-words")
    void nameOfALockInAFilterIsExplained() {
        AcquireStub namesByValue = AcquireStub.acquiring(context -> Step.call(
                new MongoOp.FindOne(
                        "stub/read",
                        LockSchema.LOCKS,
                        new Document("_id", context.name()).toBsonDocument(),
                        Optional.empty()),
                read -> AcquireStub.correct().acquire(context)));

        assertThat(failureOf(ProtocolLaws::foreignDocumentIsRefused, namesByValue)
                        .lines()
                        .findFirst())
                .hasValueSatisfying(line -> assertThat(line).contains("LockName", "name().value()"));
    }

    @Test
    @Tag("finds:laws-without-words")
    void exceptionAfterAReplyIsExplained() {
        AcquireStub throwing = AcquireStub.acquiring(context -> Step.call(
                AcquireStub.acquireOrExtend(context),
                reply -> reply instanceof Reply.Failed
                        ? Step.done(Objects.requireNonNull(null, "no document"))
                        : AcquireStub.interpret(context, reply)));

        assertThat(failureOf(ProtocolLaws::programEnds, throwing))
                .startsWith("A program throws no exception. But in \"acquire, first attempt\" it threw"
                        + " NullPointerException (no document) after stub/acquire was answered by ")
                .contains("Instead, handle every reply");
    }

    private static String failureOf(Function<ProtocolLaws, Stream<DynamicTest>> law, LockStrategy strategy) {
        ProtocolLaws laws = new ProtocolLaws() {
            @Override
            protected LockStrategy strategy() {
                return strategy;
            }
        };
        Throwable failure = catchThrowable(() -> {
            for (DynamicTest test : law.apply(laws).toList()) {
                test.getExecutable().execute();
            }
        });
        assertThat(failure).isInstanceOf(AssertionError.class);
        return String.valueOf(failure.getMessage());
    }
}
