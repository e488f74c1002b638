package org.mongolocks.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A program that talks to MongoDB, as data: the next operation, and a function from its reply to the rest of the
 * program. A runner executes it.
 *
 * <p>The programs of a strategy are immutable and their functions are pure: a program that is run twice sends the same
 * operations for the same replies. The programs of the engine have state: each may be run once.
 *
 * @param <R> the result of the program
 */
public sealed interface Step<R> {

    /**
     * A step that sends one operation and continues with the reply.
     *
     * @param op the operation
     * @param then returns the next step for a reply; called once, on the runner's thread, and must not block
     * @param <R> the result of the program
     */
    record Call<R>(MongoOp op, Function<Reply, Step<R>> then) implements Step<R> {
        @Override
        public <T> Step<T> then(Function<? super R, Step<T>> done, Function<Reply.Failed, Step<T>> failed) {
            return new Call<>(op, reply -> then.apply(reply).then(done, failed));
        }

        @Override
        public Step<R> intercept(UnaryOperator<Step<R>> following) {
            return new Call<>(op, reply -> following.apply(then.apply(reply)));
        }
    }

    /**
     * A step that waits and continues.
     *
     * @param delay how long to wait at most; zero or more
     * @param wakeUp ends the wait early when it completes, if present. A runner never completes or cancels it.
     * @param then returns the next step; called once
     * @param <R> the result of the program
     */
    record Pause<R>(Duration delay, Optional<CompletableFuture<Void>> wakeUp, Supplier<Step<R>> then)
            implements Step<R> {
        /**
         * Creates a wait of fixed length.
         *
         * @param delay how long to wait; zero or more
         * @param then returns the next step; called once
         */
        public Pause(Duration delay, Supplier<Step<R>> then) {
            this(delay, Optional.empty(), then);
        }

        @Override
        public <T> Step<T> then(Function<? super R, Step<T>> done, Function<Reply.Failed, Step<T>> failed) {
            return new Pause<>(delay, wakeUp, () -> then.get().then(done, failed));
        }

        @Override
        public Step<R> intercept(UnaryOperator<Step<R>> following) {
            return new Pause<>(delay, wakeUp, () -> following.apply(then.get()));
        }
    }

    /**
     * A step that ends with a result.
     *
     * @param result the result
     * @param <R> the result of the program
     */
    record Done<R>(R result) implements Step<R> {
        @Override
        public <T> Step<T> then(Function<? super R, Step<T>> done, Function<Reply.Failed, Step<T>> failed) {
            return done.apply(result);
        }

        @Override
        public Step<R> intercept(UnaryOperator<Step<R>> following) {
            return this;
        }
    }

    /**
     * A step that ends without a result, because of a fault that the program does not interpret. The engine, which
     * composes the program of a strategy with others by {@link #then}, decides whether to retry; a runner that reaches
     * this step ends the run with an exception.
     *
     * @param failure the reply that ended it
     * @param <R> the result that the program would have had
     */
    record Fail<R>(Reply.Failed failure) implements Step<R> {
        @Override
        public <T> Step<T> then(Function<? super R, Step<T>> done, Function<Reply.Failed, Step<T>> failed) {
            return failed.apply(failure);
        }

        @Override
        public Step<R> intercept(UnaryOperator<Step<R>> following) {
            return this;
        }
    }

    /**
     * Continues with another program when this one has ended.
     *
     * @param done returns the next program for the result of this one
     * @param failed returns the next program if this one ended without a result
     * @param <T> the result of the whole program
     * @return the whole program
     */
    <T> Step<T> then(Function<? super R, Step<T>> done, Function<Reply.Failed, Step<T>> failed);

    /**
     * Replaces the step that follows this one, when it is known: after the reply, or after the pause. To see every
     * later step of the program, the function calls this method with itself on each step that it gets.
     *
     * @param following returns what to continue with instead of the step that follows
     * @return this step with another continuation; the step itself if nothing follows it
     */
    Step<R> intercept(UnaryOperator<Step<R>> following);

    /**
     * Continues with another program when this one is done; a fault ends the whole program.
     *
     * @param next returns the next program for the result of this one
     * @param <T> the result of the whole program
     * @return the whole program
     */
    default <T> Step<T> andThen(Function<? super R, Step<T>> next) {
        return then(next, Fail::new);
    }

    /**
     * Returns a program that sends one operation.
     *
     * @param op the operation
     * @param then returns the next step for a reply
     * @param <R> the result of the program
     * @return the program
     */
    static <R> Step<R> call(MongoOp op, Function<Reply, Step<R>> then) {
        return new Call<>(op, then);
    }

    /**
     * Returns a program that is done.
     *
     * @param result the result
     * @param <R> the type of the result
     * @return the program
     */
    static <R> Step<R> done(R result) {
        return new Done<>(result);
    }

    /**
     * Returns a program whose result is true if a write matched a document.
     *
     * @param reply the reply to a {@link MongoOp.FindOneAndUpdate}, an update or a delete
     * @return a program that is done, or failed if the reply is a fault
     * @throws IllegalStateException if the reply is to another operation: the strategy does not handle this kind of
     *     reply
     */
    static Step<Boolean> matched(Reply reply) {
        if (reply instanceof Reply.Counted counted) {
            return new Done<>(counted.matched() > 0);
        }
        return reply instanceof Reply.Found found ? done(found.document().isPresent()) : fail(reply);
    }

    /**
     * Returns a program that ends with the number of documents that a write matched.
     *
     * @param reply the reply to an update or a delete
     * @return a program that is done, or failed if the reply is a fault
     * @throws IllegalStateException if the reply is to another operation: the strategy does not handle this kind of
     *     reply
     */
    static Step<Long> matchCount(Reply reply) {
        return reply instanceof Reply.Counted counted ? done(counted.matched()) : fail(reply);
    }

    /**
     * Returns a program that ends with a fault. A strategy does this for each reply that its protocol does not
     * interpret.
     *
     * @param reply the reply
     * @param <R> the result that the program would have had
     * @return the program
     * @throws IllegalStateException if the reply is not a {@link Reply.Failed}: the strategy does not handle this kind
     *     of reply
     */
    static <R> Step<R> fail(Reply reply) {
        if (reply instanceof Reply.Failed failed) {
            return new Fail<>(failed);
        }
        throw new IllegalStateException("The protocol does not interpret this reply: " + reply);
    }
}
