package org.mongolocks.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Is a program that talks to MongoDB, as data: what to do next, and how to go on from there. A runner executes it.
 *
 * <p>Programs are immutable, and their functions pure: running one twice asks the same questions.
 *
 * @param <R> what the program results in
 */
public sealed interface Step<R> {

    /**
     * Sends one operation and goes on with the reply.
     *
     * @param op what to send
     * @param then gives the next step for a reply; called once, on the runner's thread, and must not block
     * @param <R> what the program results in
     */
    record Call<R>(MongoOp op, Function<Reply, Step<R>> then) implements Step<R> {
        @Override
        public <T> Step<T> fold(Function<? super R, Step<T>> done, Function<Reply.Failed, Step<T>> failed) {
            return new Call<>(op, reply -> then.apply(reply).fold(done, failed));
        }
    }

    /**
     * Waits and goes on.
     *
     * @param delay how long to wait at most; zero or more
     * @param wakeUp ends the wait early when it completes, if there is one. A runner never completes or cancels it.
     * @param then gives the next step; called once
     * @param <R> what the program results in
     */
    record Pause<R>(Duration delay, Optional<CompletableFuture<Void>> wakeUp, Supplier<Step<R>> then)
            implements Step<R> {
        /**
         * Waits for a fixed time.
         *
         * @param delay how long to wait; zero or more
         * @param then gives the next step; called once
         */
        public Pause(Duration delay, Supplier<Step<R>> then) {
            this(delay, Optional.empty(), then);
        }

        @Override
        public <T> Step<T> fold(Function<? super R, Step<T>> done, Function<Reply.Failed, Step<T>> failed) {
            return new Pause<>(delay, wakeUp, () -> then.get().fold(done, failed));
        }
    }

    /**
     * Ends with a result.
     *
     * @param result the result
     * @param <R> what the program results in
     */
    record Done<R>(R result) implements Step<R> {
        @Override
        public <T> Step<T> fold(Function<? super R, Step<T>> done, Function<Reply.Failed, Step<T>> failed) {
            return done.apply(result);
        }
    }

    /**
     * Ends without a result, because of a fault that the program does not interpret. The engine decides whether to ask
     * again.
     *
     * @param failure the reply that ended it
     * @param <R> what the program would have resulted in
     */
    record Fail<R>(Reply.Failed failure) implements Step<R> {
        @Override
        public <T> Step<T> fold(Function<? super R, Step<T>> done, Function<Reply.Failed, Step<T>> failed) {
            return failed.apply(failure);
        }
    }

    /**
     * Goes on with another program when this one has ended.
     *
     * @param done gives the program to go on with for the result of this one
     * @param failed gives the program to go on with when this one ended without a result
     * @param <T> what the whole program results in
     * @return the whole program
     */
    <T> Step<T> fold(Function<? super R, Step<T>> done, Function<Reply.Failed, Step<T>> failed);

    /**
     * Goes on with another program when this one is done; a fault ends the whole.
     *
     * @param next gives the program to go on with for the result of this one
     * @param <T> what the whole program results in
     * @return the whole program
     */
    default <T> Step<T> andThen(Function<? super R, Step<T>> next) {
        return fold(next, Fail::new);
    }

    /**
     * Makes a program that sends one operation.
     *
     * @param op what to send
     * @param then gives the next step for a reply
     * @param <R> what the program results in
     * @return the program
     */
    static <R> Step<R> call(MongoOp op, Function<Reply, Step<R>> then) {
        return new Call<>(op, then);
    }

    /**
     * Makes a program that is done.
     *
     * @param result the result
     * @param <R> the type of the result
     * @return the program
     */
    static <R> Step<R> done(R result) {
        return new Done<>(result);
    }

    /**
     * Makes a program that ends with a fault. A strategy ends so for each reply that its protocol gives no meaning to.
     *
     * @param reply the reply
     * @param <R> what the program would have resulted in
     * @return the program
     * @throws IllegalStateException if the reply is not a {@link Reply.Failed}: the protocol has a gap
     */
    static <R> Step<R> fail(Reply reply) {
        if (reply instanceof Reply.Failed failed) {
            return new Fail<>(failed);
        }
        throw new IllegalStateException("The protocol has no meaning for this reply: " + reply);
    }
}
