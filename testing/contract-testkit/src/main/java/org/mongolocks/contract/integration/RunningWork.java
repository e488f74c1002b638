package org.mongolocks.contract.integration;

import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.mongolocks.contract.integration.LockIntegration.Application;
import org.mongolocks.contract.integration.LockIntegration.Grant;
import org.mongolocks.contract.integration.LockIntegration.Outcome;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;

/** Work under a lock, on a thread of its own, which goes on until a rule ends it. The rule asks what the work sees. */
final class RunningWork {
    private final BlockingQueue<Question<?>> questions = new LinkedBlockingQueue<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final boolean obeysInterrupts;
    private final BackgroundTask<Outcome> call;

    private RunningWork(Application application, String lock, boolean obeysInterrupts) {
        this.obeysInterrupts = obeysInterrupts;
        this.call = BackgroundTask.run(() -> application.run(lock, this::work));
    }

    /** Begins work that ends when it is interrupted. */
    static RunningWork begin(Application application, String lock) throws Exception {
        return new RunningWork(application, lock, true).begun();
    }

    /** Begins work that ignores interrupts, and so goes on after a loss. */
    static RunningWork beginLate(Application application, String lock) throws Exception {
        return new RunningWork(application, lock, false).begun();
    }

    /** A question that the thread of the work answers. */
    private record Question<T>(Function<Grant, T> asked, boolean isLast, CompletableFuture<T> answer) {
        void answer(Grant grant) {
            try {
                answer.complete(asked.apply(grant));
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        }
    }

    private RunningWork begun() throws Exception {
        call.runUntil(begun);
        if (begun.getCount() > 0) {
            throw new AssertionError("The work was not called: " + (call.isDone() ? call.result() : "no lock yet"));
        }
        return this;
    }

    private void work(Grant grant) {
        begun.countDown();
        boolean goesOn = true;
        while (goesOn) {
            try {
                Question<?> next = questions.take();
                next.answer(grant);
                goesOn = !next.isLast();
            } catch (InterruptedException e) {
                interrupted.countDown();
                goesOn = !obeysInterrupts;
            }
        }
    }

    boolean wasInterrupted() {
        return interrupted.getCount() == 0;
    }

    boolean isHeld() throws Exception {
        return ask(grant -> grant.isHeld().getAsBoolean());
    }

    OptionalLong token() throws Exception {
        return ask(Grant::token);
    }

    private <T> T ask(Function<Grant, T> question) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        questions.add(new Question<>(question, false, answer));
        Eventually.isTrue("the work answers", answer::isDone);
        return answer.join();
    }

    /** Lets the work end, if it has not ended, and returns the outcome that its caller gets. */
    Outcome end() throws Exception {
        endLater();
        return call.result();
    }

    /** Lets the work end without waiting for that. */
    void endLater() {
        questions.add(new Question<>(grant -> true, true, new CompletableFuture<>()));
    }
}
