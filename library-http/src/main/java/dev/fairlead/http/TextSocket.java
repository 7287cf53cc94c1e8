package dev.fairlead.http;

/** A socket sends and receives texts over one WebSocket (RFC 6455), until either side ends it. */
public interface TextSocket extends AutoCloseable {
    /** Sends a text without waiting; false if the socket has ended, and the text is surely not sent. */
    boolean send(String text);

    /** Ends the socket at once; the listener is told. */
    @Override
    void close();

    /** Gets what a socket receives, from one thread at a time; it must not block. */
    interface Listener {
        void received(String text);

        /**
         * Learns, once, that the socket has ended, whoever ended it; nothing is received afterwards.
         *
         * @param why the reason, in words
         */
        void ended(String why);
    }
}
