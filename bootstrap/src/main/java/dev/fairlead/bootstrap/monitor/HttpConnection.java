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

/** Holds one caller's connection, which carries one request. */
final class HttpConnection {
    /** The most bytes that are read from a caller after its request, to close the connection in good order. */
    private static final int LEFTOVER = 64 * 1024;

    private static final int IPV6_NETWORK = 8;

    /** Lists the stages of a connection. */
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

    /** Returns the address, or for IPv6 its /64 network, since a host may use any address of that. */
    private static ByteBuffer network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return ByteBuffer.wrap(address instanceof Inet6Address ? Arrays.copyOf(bytes, IPV6_NETWORK) : bytes);
    }

    /** Returns the address of the caller, or for IPv6 the /64 network of the caller's host. */
    ByteBuffer from() {
        return from;
    }

    Stage stage() {
        return stage;
    }

    boolean hasAsked() {
        return stage == Stage.ANSWERS || stage == Stage.WAITS_FOR_CALLER;
    }

    /** Returns whether the connection waits for its caller; then another caller may take its place. */
    boolean waitsForCaller() {
        return stage == Stage.WAITS_FOR_REQUEST || stage == Stage.WAITS_FOR_CALLER;
    }

    /**
     * Returns the time at which the connection began, or at which its request had come in, by {@link System#nanoTime}.
     */
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

    /** Sends the answer, and waits until the caller has it, so that nothing of it stays in the kernel. */
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
