package dev.fairlead.lab.walk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;

/**
 * Serves SSH on this machine: each command is run by its shell, with the list of NFS shares of a pool of our own in the
 * place of the machine's.
 */
public final class ShellServer implements AutoCloseable {
    public static final String PASSWORD = "of-this-run";

    private final SshServer server = SshServer.setUpDefaultServer();
    private final KeyPair key;

    /** @param pool the folder in which the pool keeps its datasets, and the list of what it shares */
    public ShellServer(Path pool) throws IOException {
        try {
            key = KeyUtils.generateKeyPair("ecdsa-sha2-nistp256", 256);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
        server.setHost("127.0.0.1");
        server.setKeyPairProvider(KeyPairProvider.wrap(key));
        server.setPasswordAuthenticator((_, password, _) -> PASSWORD.equals(password));
        server.setCommandFactory((_, line) -> new Shell(line, pool));
        server.start();
    }

    public int port() {
        return server.getPort();
    }

    /** Returns the line of {@code known_hosts} that pins it. */
    public String knownHosts() {
        return "[127.0.0.1]:" + port() + " " + PublicKeyEntry.toString(key.getPublic());
    }

    @Override
    public void close() throws IOException {
        server.stop(true);
    }

    /** Runs one line; it reads nothing. */
    private static final class Shell implements Command {
        private final String line;
        private final Path pool;
        private OutputStream out = OutputStream.nullOutputStream();
        private OutputStream err = OutputStream.nullOutputStream();
        private ExitCallback exit = (_, _, _) -> {};

        Shell(String line, Path pool) {
            this.line = line;
            this.pool = pool;
        }

        @Override
        public void start(ChannelSession channel, Environment environment) {
            var _ = Thread.ofVirtual().start(this::run);
        }

        private void run() {
            try {
                ProcessBuilder shell =
                        new ProcessBuilder("/bin/sh", "-c", line.replace("/var/lib/nfs/", pool + "/nfs/"));
                var _ = shell.environment().put("FAIRLEAD_WALK_POOL", pool.toString());
                Process process = shell.start();
                Thread errors = Thread.ofVirtual().start(() -> copy(process.getErrorStream(), err));
                copy(process.getInputStream(), out);
                errors.join();
                exit.onExit(process.waitFor());
            } catch (IOException | InterruptedException e) {
                exit.onExit(255, String.valueOf(e));
            }
        }

        private static void copy(InputStream from, OutputStream to) {
            try {
                var _ = from.transferTo(to);
                to.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void setInputStream(InputStream in) {}

        @Override
        public void setOutputStream(OutputStream out) {
            this.out = out;
        }

        @Override
        public void setErrorStream(OutputStream err) {
            this.err = err;
        }

        @Override
        public void setExitCallback(ExitCallback callback) {
            this.exit = callback;
        }

        @Override
        public void destroy(ChannelSession channel) {}
    }
}
