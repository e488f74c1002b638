package org.mongolocks.proxy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/**
 * Catches commands, and has a fault that they suffer. A test waits for what it has caught; it never sleeps.
 * Thread-safe.
 */
public final class Trap {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Aim aim;
    private final WireFault fault;
    private final List<BsonDocument> requests = new ArrayList<>();
    private final List<BsonDocument> replies = new ArrayList<>();
    private final List<Exchange.Sequel> held = new ArrayList<>();
    private int seen;
    private boolean released;

    Trap(Aim aim, WireFault fault) {
        this.aim = aim;
        this.fault = fault;
    }

    /** Returns the requests that were caught so far. */
    public synchronized List<BsonDocument> requests() {
        return List.copyOf(requests);
    }

    /** Returns the server's replies to them so far, whatever their senders were told. */
    public synchronized List<BsonDocument> replies() {
        return List.copyOf(replies);
    }

    /** Waits until it has caught a command. */
    public void awaitCaught() throws InterruptedException {
        await(1, requests, "was sent");
    }

    /** Waits until it has caught some commands. */
    public void awaitCaught(int times) throws InterruptedException {
        await(times, requests, "was sent");
    }

    /** Waits until the server has replied to a command that was caught. */
    public void awaitExecuted() throws InterruptedException {
        await(1, replies, "was executed");
    }

    /** Lets go what it holds; from now on it holds nothing. */
    public void release() {
        for (Exchange.Sequel sequel : takeHeld()) {
            goOn(sequel);
        }
    }

    WireFault fault() {
        return fault;
    }

    /** Returns whether it catches this command, and counts it. */
    synchronized boolean catches(String command) {
        if (!aim.commands().contains(command)) {
            return false;
        }
        seen++;
        return seen > aim.skipped() && seen - aim.skipped() <= aim.times();
    }

    synchronized void caught(Exchange exchange) {
        requests.add(exchange.request());
        notifyAll();
    }

    synchronized void answered(Exchange exchange) {
        replies.add(exchange.reply());
        notifyAll();
    }

    void hold(Exchange.Sequel sequel) throws IOException {
        synchronized (this) {
            if (!released) {
                held.add(sequel);
                return;
            }
        }
        sequel.run();
    }

    private synchronized List<Exchange.Sequel> takeHeld() {
        released = true;
        List<Exchange.Sequel> all = List.copyOf(held);
        held.clear();
        return all;
    }

    /** Whom a connection was lost to has noticed it there. */
    private static void goOn(Exchange.Sequel sequel) {
        try {
            sequel.run();
        } catch (IOException e) {
            return;
        }
    }

    private synchronized void await(int times, List<BsonDocument> what, String how) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (what.size() < times) {
            long millis = (deadlineNanos - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                throw new AssertionError("Within " + PATIENCE + " none of " + aim.commands() + " " + how);
            }
            wait(millis);
        }
    }
}
