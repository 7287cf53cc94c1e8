package dev.fairlead.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;

/**
 * Makes sockets that end when more bytes arrive between two whole messages than one message may have: the library keeps
 * a message in memory until it is whole, however long it is.
 */
final class BoundedSockets extends SocketFactory {
    private final long most;
    private final AtomicLong since = new AtomicLong();

    BoundedSockets(long most) {
        this.most = most;
    }

    /** Says that a whole message has arrived. */
    void received() {
        since.set(0);
    }

    @Override
    public Socket createSocket() {
        since.set(0);
        return new Bounded();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress here, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress here, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    private Socket connected(InetSocketAddress address) throws IOException {
        Socket socket = createSocket();
        socket.connect(address);
        return socket;
    }

    private final class Bounded extends Socket {
        @Override
        public InputStream getInputStream() throws IOException {
            return new Counted(super.getInputStream());
        }
    }

    private final class Counted extends FilterInputStream {
        private Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            counted(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int read = super.read(into, from, length);
            counted(Math.max(read, 0));
            return read;
        }

        private void counted(int bytes) throws IOException {
            if (since.addAndGet(bytes) > most) {
                throw new Trouble.Worded("a message of more than " + most + " bytes", null);
            }
        }
    }
}
