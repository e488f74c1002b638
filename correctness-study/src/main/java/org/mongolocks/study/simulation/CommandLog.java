package org.mongolocks.study.simulation;

import static org.mongolocks.study.history.Command.NEVER;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.mongolocks.study.history.Command;
import org.mongolocks.study.history.Command.Loss;

/** Records every sending of every command. */
final class CommandLog implements WireTrace {
    private final List<Line> lines = new ArrayList<>();
    private final LongSupplier now;

    CommandLog(LongSupplier now) {
        this.now = now;
    }

    @Override
    public Sending sent(int client, int grant, Exchange.Order order, int sending) {
        Line line = new Line(client, grant, order, sending);
        lines.add(line);
        return line;
    }

    /** Returns all sendings, in order. */
    List<Command> commands() {
        return lines.stream().map(Line::command).toList();
    }

    /** One sending. */
    private final class Line implements Sending {
        private final int client;
        private final int grant;
        private final Exchange.Order order;
        private final int sending;
        private final long sentNanos = now.getAsLong();
        private long executedNanos = NEVER;
        private long repliedNanos = NEVER;
        private long heardNanos = NEVER;
        private long givenUpNanos = NEVER;
        private Loss loss = Loss.NONE;
        private String result = "";

        Line(int client, int grant, Exchange.Order order, int sending) {
            this.client = client;
            this.grant = grant;
            this.order = order;
            this.sending = sending;
        }

        @Override
        public void request(Fate fate) {
            lose(fate, Loss.REQUEST);
        }

        @Override
        public void executed() {
            executedNanos = now.getAsLong();
        }

        @Override
        public void replied(Optional<Document> reply) {
            repliedNanos = reply.isPresent() ? now.getAsLong() : NEVER;
            loss = reply.isPresent() ? loss : Loss.SERVER;
            result = reply.map(CommandText::result).orElse("");
        }

        @Override
        public void reply(Fate fate) {
            lose(fate, Loss.REPLY);
        }

        @Override
        public void heard() {
            heardNanos = now.getAsLong();
        }

        @Override
        public void givenUp() {
            givenUpNanos = givenUpNanos == NEVER ? now.getAsLong() : givenUpNanos;
        }

        private void lose(Fate fate, Loss what) {
            loss = fate.arrives() ? loss : what;
        }

        Command command() {
            Command.Way way = new Command.Way(sentNanos, executedNanos, repliedNanos, heardNanos, givenUpNanos, loss);
            return new Command(
                    client,
                    grant,
                    CommandText.name(order.command()),
                    CommandText.about(order.command()),
                    sending,
                    way,
                    result);
        }
    }
}
