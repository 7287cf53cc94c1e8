package dev.fairlead.application.port.out.cluster;

/**
 * Removes the taint that a new node has, which keeps pods off it until the driver can mount volumes for them.
 *
 * <p>A driver does not wait for the removal, and a failure of it does not end the driver.
 */
public interface StartupTaint extends AutoCloseable {
    /**
     * Removes the taint as soon as the orchestrator knows this node's drivers. Returns at once; the attempt goes on
     * until that is done, or until {@link #close}. To be called once.
     */
    void lift();

    @Override
    void close();
}
