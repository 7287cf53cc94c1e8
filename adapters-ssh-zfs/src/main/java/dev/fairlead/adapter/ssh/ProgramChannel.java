package dev.fairlead.adapter.ssh;

import java.io.IOException;
import java.util.Map;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.session.ConnectionService;

/**
 * Runs one program on its channel, and knows whether the server has closed its end. The library reports in the same way
 * a channel that is closed only on this side; its number is then free here but still in use on the server.
 */
final class ProgramChannel extends ChannelExec {
    private volatile boolean returned;

    private ProgramChannel(String line) {
        super(line, null, Map.of());
    }

    /** @throws IOException if the session has ended */
    static ProgramChannel on(ClientSession session, String line) throws IOException {
        ProgramChannel channel = new ProgramChannel(line);
        try {
            session.getService(ConnectionService.class).registerChannel(channel);
        } catch (IllegalStateException e) {
            throw new IOException("the session is at its end", e);
        }
        return channel;
    }

    @Override
    public void handleClose() throws IOException {
        returned = true;
        super.handleClose();
    }

    /** Returns whether the server has closed its end, after which none of the program's output is still to come. */
    boolean isReturned() {
        return returned;
    }
}
