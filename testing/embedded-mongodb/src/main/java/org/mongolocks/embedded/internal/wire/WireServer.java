package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.wire.MongoWireMessageEncoder;
import de.bwaldvogel.mongo.wire.MongoWireReplyEncoder;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Listens on a port and lets an engine answer. */
public final class WireServer implements AutoCloseable {
    private static final int THREADS = 2;

    private final Loops loops;
    private final ChannelGroup clients;
    private final Channel listener;
    private final SharedEngine engine;
    private boolean isClosed;

    private WireServer(Loops loops, ChannelGroup clients, Channel listener, SharedEngine engine) {
        this.loops = loops;
        this.clients = clients;
        this.listener = listener;
        this.engine = engine;
    }

    /** Makes the engine of a server once its port is known. */
    @FunctionalInterface
    public interface EngineFactory {
        /** An engine for a server on this port. */
        SharedEngine create(int port);
    }

    /**
     * Starts a server.
     *
     * @param address where to listen; port zero for any that is free
     */
    public static WireServer start(InetSocketAddress address, EngineFactory factory) throws IOException {
        Loops loops = Loops.start();
        ChannelGroup clients = new DefaultChannelGroup(loops.group().next());
        Initializer initializer = new Initializer(clients);
        try {
            Channel listener = bind(address, loops.group(), initializer);
            SharedEngine engine = factory.create(port(listener));
            initializer.engine = engine;
            listener.config().setAutoRead(true);
            return new WireServer(loops, clients, listener, engine);
        } catch (IOException | RuntimeException e) {
            loops.end();
            throw e;
        }
    }

    // It accepts no connection before the engine exists.
    private static Channel bind(InetSocketAddress address, EventLoopGroup loops, Initializer initializer)
            throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(initializer)
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw bound.cause() instanceof IOException refused ? refused : new IOException(bound.cause());
        }
        return bound.channel();
    }

    private static int port(Channel listener) {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    public int port() {
        return port(listener);
    }

    public SharedEngine engine() {
        return engine;
    }

    /** Closes the server once; a second caller waits until that is done. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        listener.close().syncUninterruptibly();
        clients.close().syncUninterruptibly();
        engine.close();
        loops.end();
    }

    /** The event loops that all connections share, and their threads. */
    private record Loops(EventLoopGroup group, DaemonThreads threads) {
        static Loops start() {
            DaemonThreads threads = new DaemonThreads("embedded-mongo");
            return new Loops(new MultiThreadIoEventLoopGroup(THREADS, threads, NioIoHandler.newFactory()), threads);
        }

        void end() {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
            threads.awaitEnd();
        }
    }

    /** Puts the handlers of a new connection together. */
    private static final class Initializer extends ChannelInitializer<SocketChannel> {
        private final ChannelGroup clients;
        private volatile @Nullable SharedEngine engine;

        Initializer(ChannelGroup clients) {
            this.clients = clients;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            SharedEngine ready = engine;
            if (ready == null) {
                throw new IllegalStateException("a connection before the server is up");
            }
            clients.add(channel);
            channel.pipeline()
                    .addLast(new MongoWireReplyEncoder())
                    .addLast(new MongoWireMessageEncoder())
                    .addLast(new FrameDecoder())
                    .addLast(new ConnectionHandler(ready));
        }
    }
}
