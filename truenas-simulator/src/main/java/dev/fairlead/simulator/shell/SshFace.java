package dev.fairlead.simulator.shell;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;

/** Lets an administrator in by SSH, whose commands a real shell of this machine runs over the programs of the box. */
public final class SshFace implements AutoCloseable {
    private final SshServer server;

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
        server.setHost("127.0.0.1");
        server.setPort(port);
        var keys = new SimpleGeneratorHostKeyProvider(folder.resolve("ssh_host_key"));
        keys.setAlgorithm("EC");
        keys.setKeySize(256);
        server.setKeyPairProvider(keys);
        server.setPasswordAuthenticator((name, given, _) -> user.equals(name) && password.equals(given));
        server.setCommandFactory((_, line) -> new ShellLine(line, shell.bin()));
        try {
            server.start();
        } catch (IOException e) {
            throw new IllegalStateException("The SSH server of the simulated box fails", e);
        }
        return new SshFace(server);
    }

    /** Returns its port. */
    public int port() {
        return server.getPort();
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
