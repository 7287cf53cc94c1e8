package dev.fairlead.bootstrap.monitor;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** One caller's connection, which carries one request. */
final class HttpConnection {
    /** The longest part of what a caller may still send after its request that is read, to close in good order. */
    private static final int LEFTOVER = 64 * 1024;

    private static final int IPV6_NETWORK = 8;

    /** Where the connection is. */
    enum Stage {
        /** The caller is to send more of its request. */
        WAITS_FOR_REQUEST,
        /** The caller is to take the answer. */
        WAITS_FOR_CALLER,
        /** Something has been sent, or nobody has looked yet. */
        READS_REQUEST,
        /** This process is to answer: a caller who has asked is not shut out. */
        ANSWERS
    }

    private final Socket socket;
    private final ByteBuffer from;
    private volatile long since = System.nanoTime();
    private volatile Stage stage = Stage.READS_REQUEST;

    HttpConnection(Socket socket) {
        this.socket = socket;
        this.from = network(socket.getInetAddress());
    }

    /** An IPv6 host chooses among the addresses of a /64 as it likes. */
    private static ByteBuffer network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return ByteBuffer.wrap(address instanceof Inet6Address ? Arrays.copyOf(bytes, IPV6_NETWORK) : bytes);
    }

    /** The address that it comes from, or its network of one host. */
    ByteBuffer from() {
        return from;
    }

    Stage stage() {
        return stage;
    }

    boolean hasAsked() {
        return stage == Stage.ANSWERS || stage == Stage.WAITS_FOR_CALLER;
    }

    /** Whether it is the caller's turn: what it leaves undone, another may do in its place. */
    boolean waitsForCaller() {
        return stage == Stage.WAITS_FOR_REQUEST || stage == Stage.WAITS_FOR_CALLER;
    }

    /** When the request was begun, or had come in, by {@link System#nanoTime}. */
    long since() {
        return since;
    }

    /** Says that the request has come in. */
    void asked() {
        since = System.nanoTime();
        stage = Stage.ANSWERS;
    }

    /** Reads more of the request, like {@link InputStream#read(byte[], int, int)}. */
    int read(byte[] into, int from, int atMost) throws IOException {
        InputStream in = socket.getInputStream();
        if (in.available() == 0) {
            stage = Stage.WAITS_FOR_REQUEST;
        }
        int read = in.read(into, from, atMost);
        stage = Stage.READS_REQUEST;
        return read;
    }

    /** Sends the answer, and waits until the caller has it: nothing of it is left to the kernel then. */
    void answer(byte[] answer) throws IOException {
        stage = Stage.WAITS_FOR_CALLER;
        OutputStream out = socket.getOutputStream();
        out.write(answer);
        socket.shutdownOutput();
        byte[] rest = new byte[1024];
        int left = LEFTOVER;
        int read = 0;
        while (read >= 0 && left > 0) {
            read = socket.getInputStream().read(rest);
            left -= read;
        }
    }

    /** Closes it; what the caller has not taken by then is lost, and nothing of it stays in the kernel. */
    void close() {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (SocketException _) {
            // it is closed already
        } catch (IOException _) {
            // there is nothing to be done about it, and nobody to tell
        }
    }
}
