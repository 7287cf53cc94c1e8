package dev.fairlead.adapter.ssh;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sshd.client.future.DefaultOpenFuture;
import org.apache.sshd.client.future.OpenFuture;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.channel.Channel;
import org.apache.sshd.common.channel.ChannelFactory;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.server.channel.ChannelSession;

/** Refuses a channel where there are too many, as OpenSSH does; the library's own server ends the session then. */
final class LimitedChannels implements ChannelFactory {
    private final AtomicInteger most = new AtomicInteger(10);
    private final AtomicInteger open = new AtomicInteger();

    void allow(int channels) {
        most.set(channels);
    }

    @Override
    public String getName() {
        return "session";
    }

    @Override
    public Channel createChannel(Session session) throws IOException {
        return new ChannelSession() {
            @Override
            public OpenFuture open(long recipient, long window, long packet, Buffer buffer) {
                if (open.incrementAndGet() > most.get()) {
                    open.decrementAndGet();
                    OpenFuture refused = new DefaultOpenFuture(this, this);
                    refused.setException(new SshChannelOpenException(
                            getChannelId(), SshConstants.SSH_OPEN_ADMINISTRATIVELY_PROHIBITED, "open failed"));
                    return refused;
                }
                addCloseFutureListener(_ -> open.decrementAndGet());
                return super.open(recipient, window, packet, buffer);
            }
        };
    }
}
