package dev.fairlead.application.port.out;

/**
 * Holds a client of the storage that a connection's store and exporter share, for one of them; see
 * {@link ConnectionScope#shared}.
 */
public interface SharedClient<T> extends AutoCloseable {
    T get();

    /** Lets go of the client, which is closed once nobody holds it. Closing twice is closing once. */
    @Override
    void close();
}
