package org.mongolocks.embedded.support;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A client that knows no more of MongoDB than how to send an OP_MSG and to read one. */
public final class RawClient implements AutoCloseable {
    private static final int HEADER = 16;
    private static final int OP_MSG = 2013;
    private static final int MAX_WAIT_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream in;
    private int requests;

    public RawClient(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(MAX_WAIT_MILLIS);
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** Sends a command. */
    public void send(BsonDocument command) throws IOException {
        send(command, 0);
    }

    public void send(BsonDocument command, int flags) throws IOException {
        byte[] body = Bson.bytes(command);
        ByteBuffer message = ByteBuffer.allocate(HEADER + 5 + body.length).order(ByteOrder.LITTLE_ENDIAN);
        message.putInt(message.capacity()).putInt(++requests).putInt(0).putInt(OP_MSG);
        message.putInt(flags).put((byte) 0).put(body);
        sendBytes(message.array());
    }

    public void sendBytes(byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
    }

    /** Tells the server that nothing more will be sent. */
    public void finish() throws IOException {
        socket.shutdownOutput();
    }

    /** The next reply, or null if the server has closed the connection. */
    public @Nullable BsonDocument receive() throws IOException {
        byte[] message = receiveBytes();
        return message == null ? null : Bson.parse(Arrays.copyOfRange(message, HEADER + 5, message.length));
    }

    /** The bytes of the next message with its header, or null if the server has closed the connection. */
    public byte @Nullable [] receiveBytes() throws IOException {
        try {
            byte[] length = new byte[4];
            in.readFully(length);
            int size = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
            byte[] message = new byte[size];
            System.arraycopy(length, 0, message, 0, 4);
            in.readFully(message, 4, size - 4);
            return message;
        } catch (EOFException | SocketException closed) {
            return null;
        }
    }

    /** Waits for a reply or for the end of the connection, and reads nothing of it. */
    public boolean isAnsweredWithin(int millis) throws IOException {
        socket.setSoTimeout(millis);
        in.mark(1);
        try {
            return in.read() >= -1;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException closed) {
            return true;
        } finally {
            in.reset();
            socket.setSoTimeout(MAX_WAIT_MILLIS);
        }
    }

    /** Sends a command and waits for its reply. */
    public @Nullable BsonDocument run(BsonDocument command) throws IOException {
        send(command);
        return receive();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
