package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.ReplyFlag;
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
import org.mongolocks.embedded.ReplyHandler;
import org.mongolocks.embedded.internal.engine.ClientConnection;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** The commands of one connection, one after the other. A command that waits holds up its own connection and no thread. */
final class ConnectionHandler extends SimpleChannelInboundHandler<ClientRequest> {
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
        // What is not a message, or a client that is gone: there is nobody to tell.
        context.close().addListener(closed -> waiting.clear());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ClientRequest request) {
        waiting.add(request);
        runNext(context);
    }

    private void runNext(ChannelHandlerContext context) {
        while (!isBusy && !waiting.isEmpty()) {
            isBusy = true;
            context.channel().config().setAutoRead(false);
            run(context, waiting.remove());
        }
    }

    private void run(ChannelHandlerContext context, ClientRequest request) {
        if (request instanceof UnreadableMessage unreadable) {
            answerSoon(context, request, error(22, "InvalidBSON", unreadable.reason()));
        } else if (request instanceof MongoMessage message) {
            submit(context, request, message.getDocument());
        } else if (request instanceof MongoQuery query
                && query.getCollectionName().equals("$cmd")) {
            submit(context, request, command(query));
        } else {
            answerSoon(
                    context,
                    request,
                    error(
                            ErrorCode.NOT_IMPLEMENTED,
                            "NotImplemented",
                            "only commands are supported by the embedded server"));
        }
    }

    private static Document command(MongoQuery query) {
        Document wrapped = query.getQuery();
        Document command = wrapped.get("$query") instanceof Document inner ? inner.clone() : wrapped.clone();
        command.put("$db", query.getDatabaseName());
        return command;
    }

    private static Document error(int code, String name, String message) {
        return new Document("ok", 0.0)
                .append("errmsg", message)
                .append("code", code)
                .append("codeName", name);
    }

    private void submit(ChannelHandlerContext context, ClientRequest request, Document command) {
        engine.submit(connection, command, new ReplyHandler() {
            @Override
            public void reply(Document reply) {
                answerSoon(context, request, reply);
            }

            @Override
            public void connectionClosed() {
                context.close().addListener(closed -> waiting.clear());
            }
        });
    }

    // Not at once: the next command would run within this one.
    private void answerSoon(ChannelHandlerContext context, ClientRequest request, Document reply) {
        context.executor().execute(() -> answered(context, request, reply));
    }

    private void answered(ChannelHandlerContext context, ClientRequest request, Document reply) {
        write(context, request, reply);
        isBusy = false;
        if (waiting.isEmpty()) {
            context.channel().config().setAutoRead(true);
        }
        runNext(context);
    }

    private void write(ChannelHandlerContext context, ClientRequest request, Document reply) {
        if (request instanceof UnansweredMessage) {
            return;
        }
        MessageHeader header = new MessageHeader(++replies, request.getHeader().getRequestID());
        Object message = request instanceof MongoQuery query
                ? legacyReply(header, query, reply)
                : new MongoMessage(context.channel(), header, reply);
        context.writeAndFlush(message).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    private static MongoReply legacyReply(MessageHeader header, MongoQuery query, Document reply) {
        return query.getCollectionName().equals("$cmd")
                ? new MongoReply(header, reply)
                : new MongoReply(header, reply.append("$err", reply.get("errmsg")), ReplyFlag.QUERY_FAILURE);
    }
}
