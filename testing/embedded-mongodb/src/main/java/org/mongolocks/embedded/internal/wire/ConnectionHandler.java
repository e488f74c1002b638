package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.ClientRequest;
import de.bwaldvogel.mongo.wire.message.MessageHeader;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import de.bwaldvogel.mongo.wire.message.MongoQuery;
import de.bwaldvogel.mongo.wire.message.MongoReply;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.util.ArrayDeque;
import java.util.Queue;
import org.mongolocks.embedded.internal.command.CommandTable;
import org.mongolocks.embedded.internal.engine.Recipient;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.state.ClientConnection;
import org.mongolocks.embedded.internal.wire.FrameDecoder.FlaggedMessage;
import org.mongolocks.embedded.internal.wire.FrameDecoder.UnreadableMessage;

/**
 * The commands of one connection, one after the other. A command that waits holds up its own connection and no thread. A waiting
 * {@code hello} whose client allows it is answered again and again, until the client closes the connection.
 */
final class ConnectionHandler extends SimpleChannelInboundHandler<ClientRequest> {
    private static final String WAIT = "maxAwaitTimeMS";
    private static final String VERSION = "topologyVersion";
    private static final int EXHAUST_WITHOUT_WAIT = 51_756;

    private final SharedEngine engine;
    private final ClientConnection connection;
    private final Queue<ClientRequest> waiting = new ArrayDeque<>();
    private boolean isBusy;
    private int replies;

    ConnectionHandler(SharedEngine engine) {
        this.engine = engine;
        this.connection = engine.connect();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        waiting.clear();
        engine.disconnect(connection);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // Not a message, or the client has disconnected: there is no recipient for an error.
        context.close().addListener(closed -> waiting.clear());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ClientRequest request) {
        waiting.add(request);
        if (isBusy) {
            context.channel().config().setAutoRead(false);
        }
        runNext(context);
    }

    private void runNext(ChannelHandlerContext context) {
        while (!isBusy && !waiting.isEmpty()) {
            isBusy = true;
            ClientRequest request = waiting.remove();
            // A client that waits for events may disconnect meanwhile, which only a read from its connection shows.
            context.channel().config().setAutoRead(waiting.isEmpty() && isListening(request));
            run(context, request);
        }
    }

    private static boolean isListening(ClientRequest request) {
        return request instanceof MongoMessage message
                && (message.getDocument().containsKey("getMore")
                        || message.getDocument().containsKey(WAIT));
    }

    private void run(ChannelHandlerContext context, ClientRequest request) {
        if (request instanceof UnreadableMessage unreadable) {
            answerSoon(context, Turn.of(request, new Document()), document(unreadable.error()));
        } else if (request instanceof MongoMessage message) {
            run(context, Turn.of(request, message.getDocument()));
        } else if (request instanceof MongoQuery query
                && query.getCollectionName().equals("$cmd")) {
            submit(context, Turn.of(request, command(query)));
        } else {
            String refusal = "only commands are supported by the embedded server";
            CommandError error = new CommandError(ErrorCode.NOT_IMPLEMENTED, refusal);
            answerSoon(context, Turn.of(request, new Document()), document(error));
        }
    }

    private void run(ChannelHandlerContext context, Turn turn) {
        if (turn.isExhaust() && !turn.command().containsKey(WAIT)) {
            String refusal = "A hello request with exhaust must specify 'maxAwaitTimeMS'";
            answerSoon(context, turn, document(new CommandError(EXHAUST_WITHOUT_WAIT, refusal)));
        } else {
            submit(context, turn);
        }
    }

    private static Document command(MongoQuery query) {
        Document wrapped = query.getQuery();
        Document command = wrapped.get("$query") instanceof Document inner ? inner.clone() : wrapped.clone();
        command.put("$db", query.getDatabaseName());
        return command;
    }

    private static Document document(CommandError error) {
        return new Document("ok", 0.0)
                .append("errmsg", error.getMessage())
                .append("code", error.code())
                .append("codeName", ErrorCode.nameOf(error.code()));
    }

    private void submit(ChannelHandlerContext context, Turn turn) {
        Recipient recipient = new Recipient(
                reply -> answerSoon(context, turn, reply),
                () -> context.close().addListener(closed -> waiting.clear()));
        engine.submit(connection, turn.command(), recipient);
    }

    // Not at once: the next command would run within this one.
    private void answerSoon(ChannelHandlerContext context, Turn turn, Document reply) {
        context.executor().execute(() -> answered(context, turn, reply));
    }

    private void answered(ChannelHandlerContext context, Turn turn, Document reply) {
        if (turn.isExhaust() && Double.valueOf(1).equals(reply.get("ok"))) {
            goOn(context, turn, reply);
            return;
        }
        if (!turn.isUnanswered()) {
            context.writeAndFlush(message(context, turn, reply)).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }
        isBusy = false;
        if (waiting.isEmpty()) {
            context.channel().config().setAutoRead(true);
        }
        runNext(context);
    }

    // The next wait begins when the reply is on its way, so that a client that does not read is not overrun.
    private void goOn(ChannelHandlerContext context, Turn turn, Document reply) {
        MessageHeader header = new MessageHeader(++replies, turn.answers());
        Object message = new FlaggedMessage(context.channel(), header, reply, FlaggedMessage.MORE_TO_COME);
        context.writeAndFlush(message)
                .addListener(ChannelFutureListener.CLOSE_ON_FAILURE)
                .addListener(written -> {
                    if (written.isSuccess()) {
                        submit(context, turn.next(reply, header.getRequestID()));
                    }
                });
    }

    private Object message(ChannelHandlerContext context, Turn turn, Document reply) {
        MessageHeader header = new MessageHeader(++replies, turn.answers());
        return turn.request() instanceof MongoQuery
                ? new MongoReply(header, reply)
                : new MongoMessage(context.channel(), header, reply);
    }

    /**
     * A command and its place in the conversation.
     *
     * @param request the message that asked for it, or for the first of its kind
     * @param answers the id of the message that the reply answers: the request, or the reply before it
     */
    private record Turn(ClientRequest request, Document command, int answers) {
        static Turn of(ClientRequest request, Document command) {
            return new Turn(request, command, request.getHeader().getRequestID());
        }

        boolean isUnanswered() {
            return has(FlaggedMessage.MORE_TO_COME);
        }

        /** Whether the client takes reply after reply. Only hello and isMaster make use of that. */
        boolean isExhaust() {
            return has(FlaggedMessage.EXHAUST_ALLOWED)
                    && !isUnanswered()
                    && command.keySet().stream().limit(1).anyMatch(CommandTable::isHandshake);
        }

        private boolean has(int flag) {
            return request instanceof FlaggedMessage message && message.has(flag);
        }

        /** The same command, to be answered when the state in the reply has changed. */
        Turn next(Document reply, int replyId) {
            Document again = command.clone();
            again.put(VERSION, reply.get(VERSION));
            return new Turn(request, again, replyId);
        }
    }
}
