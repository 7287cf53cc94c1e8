package dev.fairlead.adapter.grpc.socket;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Writes and reads the HTTP/2 of one Probe call: the request as bytes, and what matters of the answer.
 *
 * <p>Header blocks of the answer are not read: a call that fails has no message before the end of its stream, so the
 * status in them says nothing more.
 */
final class ProbeFrames {
    static final int HEADER_BYTES = 9;

    private static final byte DATA = 0;
    private static final byte HEADERS = 1;
    private static final byte RST_STREAM = 3;
    private static final byte SETTINGS = 4;
    private static final byte GOAWAY = 7;

    private static final byte END_STREAM = 0x1;
    private static final byte ACK = 0x1;
    private static final byte END_HEADERS = 0x4;
    private static final byte PADDED = 0x8;

    private static final int STREAM = 1;
    private static final int LARGEST_FRAME = 1 << 14;
    private static final int MESSAGE_PREFIX = 5;

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    /** Entries 3 and 6 of HPACK's static table. */
    private static final byte METHOD_POST = (byte) 0x83;

    private static final byte SCHEME_HTTP = (byte) 0x86;
    /** Literals that are not put into the table, with a name of the static table. */
    private static final byte[] PATH = {0x04};

    private static final byte[] AUTHORITY = {0x01};
    private static final byte[] CONTENT_TYPE = {0x0f, 0x10};

    private ProbeFrames() {}

    /** Returns everything that the client sends first. */
    static ByteBuffer request() {
        ByteBuffer headers = ByteBuffer.allocate(256).put(METHOD_POST).put(SCHEME_HTTP);
        text(headers.put(PATH), "/csi.v1.Identity/Probe");
        text(headers.put(AUTHORITY), "localhost");
        text(headers.put(CONTENT_TYPE), "application/grpc");
        text(text(headers.put((byte) 0), "te"), "trailers");
        headers.flip();
        ByteBuffer all = ByteBuffer.allocate(512).put(PREFACE);
        frame(all, SETTINGS, (byte) 0, 0, ByteBuffer.allocate(0));
        frame(all, HEADERS, END_HEADERS, STREAM, headers);
        frame(all, DATA, END_STREAM, STREAM, ByteBuffer.allocate(MESSAGE_PREFIX));
        return all.flip();
    }

    /** Returns the acknowledgement of the other side's settings. */
    static ByteBuffer settingsSeen() {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES);
        frame(bytes, SETTINGS, ACK, 0, ByteBuffer.allocate(0));
        return bytes.flip();
    }

    private static ByteBuffer text(ByteBuffer to, String text) {
        return to.put((byte) text.length()).put(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void frame(ByteBuffer to, byte type, byte flags, int stream, ByteBuffer payload) {
        int length = payload.remaining();
        to.put((byte) (length >> 16)).putShort((short) length);
        to.put(type).put(flags).putInt(stream).put(payload);
    }

    /** Holds the header of a frame. */
    record Frame(int length, byte type, byte flags, int stream) {
        static Frame of(ByteBuffer header) throws IOException {
            int length = header.getInt(0) >>> 8;
            if (length > LARGEST_FRAME) {
                throw new ProtocolException("it does not speak gRPC");
            }
            return new Frame(length, header.get(3), header.get(4), header.getInt(5) & Integer.MAX_VALUE);
        }

        private boolean has(byte flag) {
            return (flags & flag) != 0;
        }
    }

    /** Holds the answer as far as it has come. An instance is for one thread. */
    static final class Answer {
        private final ByteBuffer message = ByteBuffer.allocate(256);
        private boolean whole;

        /** Takes the next frame; returns whether it has to be acknowledged. */
        boolean take(Frame frame, ByteBuffer payload) throws IOException {
            switch (frame.type()) {
                case DATA -> data(frame, payload);
                case GOAWAY -> throw new IOException("it is about to end");
                case RST_STREAM -> throw new IOException("it refused the call");
                default -> {
                    // Header blocks, windows and pings are of no interest to a call this short.
                }
            }
            whole |= frame.stream() == STREAM && frame.has(END_STREAM) && frame.type() <= HEADERS;
            return frame.type() == SETTINGS && !frame.has(ACK);
        }

        private void data(Frame frame, ByteBuffer payload) throws IOException {
            ByteBuffer content = payload;
            if (frame.has(PADDED) && payload.hasRemaining()) {
                int padding = payload.get() & 0xff;
                content = payload.slice(payload.position(), Math.max(0, payload.remaining() - padding));
            }
            if (content.remaining() > message.remaining()) {
                throw new ProtocolException("its answer is too long for one to Probe");
            }
            message.put(content);
        }

        boolean isWhole() {
            return whole;
        }

        /**
         * Returns why the driver is not ready; empty if it is, or if it says nothing of readiness, which means ready in
         * CSI.
         */
        Optional<String> obstacle() {
            ByteBuffer bytes = message.flip();
            if (bytes.remaining() < MESSAGE_PREFIX) {
                return Optional.of("it answered Probe with an error");
            }
            bytes.position(MESSAGE_PREFIX);
            boolean saysNothing = !bytes.hasRemaining();
            boolean ready = saysNothing || bytes.equals(ByteBuffer.wrap(new byte[] {0x0a, 2, 0x08, 1}));
            return ready ? Optional.empty() : Optional.of("it answered that it is not ready");
        }
    }
}
