package dev.fairlead.adapter.ssh;

import java.io.IOException;
import java.util.Map;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.session.ConnectionService;

/**
 * The channel of one program, which knows whether the server has closed its end. The library tells of a channel that is
 * closed on this side alone in the same way; its number is then free here, and on the server it is not.
 */
final class ProgramChannel extends ChannelExec {
    private volatile boolean returned;

    private ProgramChannel(String line) {
        super(line, null, Map.of());
    }

    /** @throws IOException where the session is at its end */
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

    /** Everything that the program said came before that. */
    boolean isReturned() {
        return returned;
    }
}
