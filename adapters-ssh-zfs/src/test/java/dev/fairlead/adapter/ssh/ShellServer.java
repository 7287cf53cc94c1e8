package dev.fairlead.adapter.ssh;

import dev.fairlead.adapter.ssh.key.Ed25519Registrar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.session.ServerSession;

/**
 * An SSH server in this process, whose programs are real ones, and which can be made to misbehave as no real one would.
 */
final class ShellServer implements AutoCloseable {
    static final String USER = "keeper";
    static final String PASSWORD = "pass'word \"of $keeper";

    /** What is done with a program that is asked for. */
    enum Fault {
        NONE,
        /** The session ends when the program has run, before its end is told. */
        DROP_AFTER,
        /** The session ends when its end has been told, before the last of what it said. */
        DROP_AT_LAST,
        /** The session ends while it runs. */
        DROP_DURING,
        /** Nothing is done and nothing is said. */
        HANG,
        /** The channel is closed, and no exit status came before. */
        SILENT_CLOSE,
        /** The request is refused. */
        REFUSE
    }

    final AtomicReference<Fault> fault = new AtomicReference<>(Fault.NONE);
    final AtomicInteger sessions = new AtomicInteger();
    final List<String> lines = new CopyOnWriteArrayList<>();
    final List<KeyPair> hostKeys;
    private final List<PublicKey> trusted = new CopyOnWriteArrayList<>();
    private final LimitedChannels channels = new LimitedChannels();
    private final SshServer server;

    ShellServer(Path folder, String... kinds) {
        this(folder, 0, kinds);
    }

    ShellServer(Path folder, int port, String... kinds) {
        Ed25519Registrar.register();
        this.hostKeys = List.of(kinds).stream().map(ShellServer::pair).toList();
        this.server = SshServer.setUpDefaultServer();
        server.setHost("127.0.0.1");
        server.setPort(port);
        server.setKeyPairProvider(KeyPairProvider.wrap(hostKeys));
        server.setPasswordAuthenticator((user, password, _) -> {
            sessions.incrementAndGet();
            return USER.equals(user) && PASSWORD.equals(password);
        });
        server.setPublickeyAuthenticator((user, key, _) -> USER.equals(user) && trusted.contains(key));
        server.setCommandFactory((_, line) -> {
            lines.add(line);
            return new ShellCommand(line, fault, folder);
        });
        server.setChannelFactories(List.of(channels));
        start();
    }

    void trust(PublicKey key) {
        trusted.add(key);
    }

    void forget() {
        trusted.clear();
    }

    private void start() {
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static KeyPair pair(String kind) {
        try {
            if (kind.equals("ed25519")) {
                return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            }
            return KeyUtils.generateKeyPair(kind, kind.equals("ssh-rsa") ? 2048 : 256);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    int port() {
        return server.getPort();
    }

    SshServer server() {
        return server;
    }

    /** As a line of {@code known_hosts} without the name. */
    String hostKey(int index) {
        return PublicKeyEntry.toString(hostKeys.get(index).getPublic());
    }

    void allowChannels(int most) {
        channels.allow(most);
    }

    void keepChannels(boolean on) {
        channels.keep(on);
    }

    /** Ends all sessions without a word, as a machine does that loses power. */
    void dropSessions() {
        for (var session : server.getActiveSessions()) {
            ((ServerSession) session).getIoSession().close(true);
        }
    }

    @Override
    public void close() {
        try {
            server.stop(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
