package dev.fairlead.application.port.out.cluster;

/**
 * The mark that a node is born with, and that keeps pods off it while the driver is not there to mount for them.
 *
 * <p>Taking it away is nothing that a driver waits for, and nothing that may end it.
 */
public interface StartupTaint extends AutoCloseable {
    /**
     * Takes it away as soon as the orchestrator counts on this node's drivers. Returns at once; it goes on until that
     * is done, or {@link #close}. To be called once.
     */
    void lift();

    @Override
    void close();
}
