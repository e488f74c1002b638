package org.mongolocks.study.sim.driver;

import static org.mongolocks.study.history.CommandRecord.NEVER;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.CommandRecord.Loss;
import org.mongolocks.study.sim.net.Network.MessageFate;

/** Records every sending of every command. */
public final class CommandLog implements CommandExchange.WireTrace {
    private final List<Line> lines = new ArrayList<>();
    private final LongSupplier now;

    public CommandLog(LongSupplier now) {
        this.now = now;
    }

    @Override
    public CommandExchange.WireTrace.Sending sent(int client, int grant, CommandExchange.Order order, int sending) {
        Line line = new Line(client, grant, order, sending);
        lines.add(line);
        return line;
    }

    /** Returns all sendings, in order. */
    public List<CommandRecord> commands() {
        return lines.stream().map(Line::command).toList();
    }

    /** One sending. */
    private final class Line implements CommandExchange.WireTrace.Sending {
        private final int client;
        private final int grant;
        private final CommandExchange.Order order;
        private final int sending;
        private final long sentNanos = now.getAsLong();
        private long executedNanos = NEVER;
        private long repliedNanos = NEVER;
        private long receivedNanos = NEVER;
        private long givenUpNanos = NEVER;
        private Loss loss = Loss.NONE;
        private String result = "";

        Line(int client, int grant, CommandExchange.Order order, int sending) {
            this.client = client;
            this.grant = grant;
            this.order = order;
            this.sending = sending;
        }

        @Override
        public void request(MessageFate fate) {
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
        public void reply(MessageFate fate) {
            lose(fate, Loss.REPLY);
        }

        @Override
        public void received() {
            receivedNanos = now.getAsLong();
        }

        @Override
        public void givenUp() {
            givenUpNanos = givenUpNanos == NEVER ? now.getAsLong() : givenUpNanos;
        }

        private void lose(MessageFate fate, Loss what) {
            loss = fate.arrives() ? loss : what;
        }

        CommandRecord command() {
            CommandRecord.Way way =
                    new CommandRecord.Way(sentNanos, executedNanos, repliedNanos, receivedNanos, givenUpNanos, loss);
            return new CommandRecord(
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
