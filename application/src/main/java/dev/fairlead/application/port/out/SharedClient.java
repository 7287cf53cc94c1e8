package dev.fairlead.application.port.out;

/**
 * A client of the storage that a connection's store and exporter share, as one of them holds it; see
 * {@link ConnectionScope#shared}.
 */
public interface SharedClient<T> extends AutoCloseable {
    T get();

    /** Lets go of the client, which is closed once nobody holds it. Closing twice is closing once. */
    @Override
    void close();
}
