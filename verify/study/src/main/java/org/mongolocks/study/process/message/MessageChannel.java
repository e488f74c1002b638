package org.mongolocks.study.process.message;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One end of the connection between a parent and a child, which sends and receives lines. Sending is thread-safe; one
 * thread receives.
 */
public final class MessageChannel implements AutoCloseable {
    private final Socket socket;
    private final OutputStream out;
    private final BufferedReader in;

    public MessageChannel(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.out = socket.getOutputStream();
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    public static MessageChannel to(int port) throws IOException {
        return new MessageChannel(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** Sends a line; it is flushed when this returns, even if the process exits then. */
    public synchronized void send(ProtocolLine line) {
        try {
            out.write((line.text() + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Receives a line; empty if the other end has closed. */
    public Optional<String> receive() {
        try {
            return Optional.ofNullable(in.readLine());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
