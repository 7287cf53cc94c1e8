package dev.fairlead.adapter.node.block;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/**
 * Tells whether a port of an address speaks NVMe over TCP: opens a connection, initializes it, and closes it before any
 * queue is made.
 *
 * <p>The kernel connects a node to one subsystem at a time, so a target that takes connections and is silent then would
 * hold up all others until the kernel gives up.
 *
 * @param answer the longest time to wait for the answer, once there is a connection
 */
public record NvmeTcpProbe(Duration answer) implements PortProbe {
    /** The length of both PDUs, in bytes; NVMe/TCP Transport Specification 1.0, sections 3.6.2.2 and 3.6.2.3. */
    private static final int LENGTH = 128;

    private static final byte REQUEST = 0;
    private static final byte RESPONSE = 1;

    /** The bytes of the header that all PDUs have: type, flags, header length, data offset and length. */
    private static final int HEADER = 8;

    @Override
    public void ask(InetAddress address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            connect(socket, address, port);
            socket.getOutputStream().write(request());
            byte[] header = header(socket);
            int length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
            if (header[0] != RESPONSE || length != LENGTH) {
                throw new IOException("what listens there does not speak NVMe over TCP");
            }
        } catch (SocketTimeoutException e) {
            throw new IOException("no answer within " + answer.toSeconds() + " s", e);
        } catch (EOFException e) {
            throw new IOException("what listens there ends connections without an answer", e);
        }
    }

    private static void connect(Socket socket, InetAddress address, int port) throws IOException {
        try {
            socket.connect(new InetSocketAddress(address, port), (int) ANSWER.toMillis());
        } catch (SocketTimeoutException e) {
            throw new IOException("no connection within " + ANSWER.toSeconds() + " s", e);
        }
    }

    /** Reads the header of a PDU, however it comes. */
    private byte[] header(Socket socket) throws IOException {
        long end = System.nanoTime() + answer.toNanos();
        byte[] header = new byte[HEADER];
        for (int have = 0; have < HEADER; ) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException();
            }
            socket.setSoTimeout((int) Duration.ofNanos(left).toMillis() + 1);
            int some = socket.getInputStream().read(header, have, HEADER - have);
            if (some < 0) {
                throw new EOFException();
            }
            have += some;
        }
        return header;
    }

    /** Returns an ICReq of PDU format 0, without digests, with one R2T at a time. */
    private static byte[] request() {
        return ByteBuffer.allocate(LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(REQUEST)
                .put((byte) 0)
                .put((byte) LENGTH)
                .put((byte) 0)
                .putInt(LENGTH)
                .array();
    }
}
