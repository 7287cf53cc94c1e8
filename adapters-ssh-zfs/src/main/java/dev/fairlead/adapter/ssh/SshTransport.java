package dev.fairlead.adapter.ssh;

import dev.fairlead.adapter.ssh.key.Ed25519Registrar;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.auth.keyboard.UserAuthKeyboardInteractiveFactory;
import org.apache.sshd.client.auth.password.UserAuthPasswordFactory;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.keyverifier.RejectAllServerKeyVerifier;
import org.apache.sshd.client.session.ClientSessionImpl;
import org.apache.sshd.client.session.SessionFactory;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.io.nio2.Nio2ServiceFactoryFactory;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.util.threads.CloseableExecutorService;
import org.apache.sshd.common.util.threads.SshThreadPoolExecutor;
import org.apache.sshd.core.CoreModuleProperties;

/**
 * Sets up the SSH library for all connections of a process, with few threads, since none of its callbacks blocks. It
 * reads nothing that belongs to the user of the process: no keys, agent, known hosts or settings.
 */
final class SshTransport implements AutoCloseable {
    private static final int WORKERS = 2;

    private final SshClient client;

    SshTransport(ThreadFactory threads) {
        Ed25519Registrar.register();
        this.client = SshClient.setUpDefaultClient();
        client.setIoServiceFactoryFactory(new Nio2ServiceFactoryFactory(() -> workers(threads)));
        client.setScheduledExecutorService(new ScheduledThreadPoolExecutor(1, threads), true);
        client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
        client.setServerKeyVerifier(RejectAllServerKeyVerifier.INSTANCE);
        client.setUserAuthFactories(List.of(
                // Algorithms of its own, since a session's are limited to those of the known host keys.
                new UserAuthPublicKeyFactory(client.getSignatureFactories()),
                UserAuthPasswordFactory.INSTANCE,
                UserAuthKeyboardInteractiveFactory.INSTANCE));
        client.setServiceFactories(List.of(new AuthenticationMethods(), new KeptAlive()));
        client.setSessionFactory(new SessionFactory(client) {
            @Override
            protected ClientSessionImpl doCreateSession(IoSession io) throws Exception {
                return new TrustedSession(getClient(), io);
            }
        });
        CoreModuleProperties.TCP_NODELAY.set(client, true);
        CoreModuleProperties.IDLE_TIMEOUT.set(client, Duration.ZERO);
        CoreModuleProperties.REQUEST_EXEC_REPLY.set(client, true);
        // A busy receiver may hold the sender back for as long as the command's deadline allows.
        CoreModuleProperties.WAIT_FOR_SPACE_TIMEOUT.set(client, Duration.ofDays(1));
        client.start();
    }

    private static CloseableExecutorService workers(ThreadFactory threads) {
        return new SshThreadPoolExecutor(WORKERS, WORKERS, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), threads);
    }

    SshClient client() {
        return client;
    }

    @Override
    public void close() {
        client.stop();
    }
}
