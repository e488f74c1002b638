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

    private final EventLoopGroup threads;
    private final ChannelGroup clients;
    private final Channel listener;
    private final SharedEngine engine;
    private boolean isClosed;

    private WireServer(EventLoopGroup threads, ChannelGroup clients, Channel listener, SharedEngine engine) {
        this.threads = threads;
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
        EventLoopGroup threads = new MultiThreadIoEventLoopGroup(
                THREADS, new DaemonThreads("embedded-mongo"), NioIoHandler.newFactory());
        ChannelGroup clients = new DefaultChannelGroup(threads.next());
        Initializer initializer = new Initializer(clients);
        try {
            Channel listener = bind(address, threads, initializer);
            SharedEngine engine = factory.create(port(listener));
            initializer.engine = engine;
            listener.config().setAutoRead(true);
            return new WireServer(threads, clients, listener, engine);
        } catch (IOException | RuntimeException e) {
            threads.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
            throw e;
        }
    }

    // It accepts nobody before the engine is there.
    private static Channel bind(InetSocketAddress address, EventLoopGroup threads, Initializer initializer)
            throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(threads)
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

    /** Closes the server once; whoever closes it again waits until that is done. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        listener.close().syncUninterruptibly();
        clients.close().syncUninterruptibly();
        engine.close();
        threads.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
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
