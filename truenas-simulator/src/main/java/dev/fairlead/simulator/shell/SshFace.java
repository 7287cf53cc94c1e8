package dev.fairlead.simulator.shell;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;

/** Lets an administrator in by SSH, whose commands a real shell of this machine runs over the programs of the box. */
public final class SshFace implements AutoCloseable {
    private final SshServer server;
    private final AtomicInteger logins = new AtomicInteger();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private SshFace(SshServer server) {
        this.server = server;
    }

    /**
     * Listens.
     *
     * @param folder keeps the host's key, and a file for each command
     * @param port 0 for any free one
     */
    public static SshFace start(BoxShell shell, Path folder, int port, String user, String password) {
        SshServer server = SshServer.setUpDefaultServer();
        var face = new SshFace(server);
        server.setHost("127.0.0.1");
        server.setPort(port);
        var keys = new SimpleGeneratorHostKeyProvider(folder.resolve("ssh_host_key"));
        keys.setAlgorithm("EC");
        keys.setKeySize(256);
        server.setKeyPairProvider(keys);
        server.setPasswordAuthenticator((name, given, _) -> {
            face.logins.incrementAndGet();
            return user.equals(name) && password.equals(given);
        });
        server.setCommandFactory((_, line) -> {
            face.lines.add(line);
            return new ShellLine(line, shell.bin());
        });
        try {
            server.start();
        } catch (IOException e) {
            throw new IllegalStateException("The SSH server of the simulated box fails", e);
        }
        return face;
    }

    /** Returns its port. */
    public int port() {
        return server.getPort();
    }

    /** Returns how often somebody has logged in, or tried to. */
    public int logins() {
        return logins.get();
    }

    /** Returns the lines that were run, in their order. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        try {
            server.stop(true);
        } catch (IOException e) {
            throw new IllegalStateException("The SSH server of the simulated box fails", e);
        }
    }
}
