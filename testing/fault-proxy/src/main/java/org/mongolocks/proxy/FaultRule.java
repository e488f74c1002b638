package org.mongolocks.proxy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/**
 * A rule that intercepts commands and applies a fault to them. A test waits for intercepted commands instead of
 * sleeping. Thread-safe.
 */
public final class FaultRule {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final CommandMatcher aim;
    private final WireFault fault;
    private final List<BsonDocument> requests = new ArrayList<>();
    private final List<BsonDocument> replies = new ArrayList<>();
    private final List<InterceptedCommand.Sequel> held = new ArrayList<>();
    private int seen;
    private boolean released;

    FaultRule(CommandMatcher aim, WireFault fault) {
        this.aim = aim;
        this.fault = fault;
    }

    /** Returns the requests that were intercepted so far. */
    public synchronized List<BsonDocument> requests() {
        return List.copyOf(requests);
    }

    /** Returns the server's replies to them so far, also if the clients received other replies. */
    public synchronized List<BsonDocument> replies() {
        return List.copyOf(replies);
    }

    /** Waits until a command was intercepted. */
    public void awaitCaught() throws InterruptedException {
        await(1, requests, "was sent");
    }

    /** Waits until that many commands were intercepted. */
    public void awaitCaught(int times) throws InterruptedException {
        await(times, requests, "was sent");
    }

    /** Waits until the server has replied to an intercepted command. */
    public void awaitExecuted() throws InterruptedException {
        await(1, replies, "was executed");
    }

    /** Forwards the messages that it holds; from now on it holds none. */
    public void release() {
        for (InterceptedCommand.Sequel sequel : takeHeld()) {
            proceed(sequel);
        }
    }

    WireFault fault() {
        return fault;
    }

    /** Returns whether it matches this command, and counts it. */
    synchronized boolean catches(String command) {
        if (!aim.commands().contains(command)) {
            return false;
        }
        seen++;
        return seen > aim.skipped() && seen - aim.skipped() <= aim.times();
    }

    synchronized void caught(InterceptedCommand exchange) {
        requests.add(exchange.request());
        notifyAll();
    }

    synchronized void answered(InterceptedCommand exchange) {
        replies.add(exchange.reply());
        notifyAll();
    }

    void hold(InterceptedCommand.Sequel sequel) throws IOException {
        synchronized (this) {
            if (!released) {
                held.add(sequel);
                return;
            }
        }
        sequel.run();
    }

    private synchronized List<InterceptedCommand.Sequel> takeHeld() {
        released = true;
        List<InterceptedCommand.Sequel> all = List.copyOf(held);
        held.clear();
        return all;
    }

    /** A lost connection is detected and handled by its own thread. */
    private static void proceed(InterceptedCommand.Sequel sequel) {
        try {
            sequel.run();
        } catch (IOException e) {
            return;
        }
    }

    private synchronized void await(int times, List<BsonDocument> what, String how) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TIMEOUT.toNanos();
        while (what.size() < times) {
            long millis = (deadlineNanos - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                throw new AssertionError("Within " + TIMEOUT + " none of " + aim.commands() + " " + how);
            }
            wait(millis);
        }
    }
}
