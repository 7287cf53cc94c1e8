package dev.fairlead.adapter.ssh;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final AtomicBoolean keeping = new AtomicBoolean();
    /** Of each session, as OpenSSH counts them. */
    private final Map<Session, AtomicInteger> open = new ConcurrentHashMap<>();

    void allow(int channels) {
        most.set(channels);
    }

    /** From now on a channel that is closed is still counted, as where its program runs on. */
    void keep(boolean on) {
        keeping.set(on);
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
                AtomicInteger here = open.computeIfAbsent(session, _ -> new AtomicInteger());
                if (here.incrementAndGet() > most.get()) {
                    here.decrementAndGet();
                    OpenFuture refused = new DefaultOpenFuture(this, this);
                    refused.setException(new SshChannelOpenException(
                            getChannelId(), SshConstants.SSH_OPEN_ADMINISTRATIVELY_PROHIBITED, "open failed"));
                    return refused;
                }
                addCloseFutureListener(_ -> here.addAndGet(keeping.get() ? 0 : -1));
                return super.open(recipient, window, packet, buffer);
            }
        };
    }
}
