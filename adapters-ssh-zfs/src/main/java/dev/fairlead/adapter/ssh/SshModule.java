package dev.fairlead.adapter.ssh;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.MonotonicClock;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * Provides command runners for storage hosts that are reached over SSH. Nothing of them or of the SSH library is loaded
 * before a connection asks for one: a node that only asks what driver types can do never does.
 */
@Module
public interface SshModule {
    @Provides
    @Singleton
    static Sessions sessions(ThreadFactory threads) {
        return new Sessions(threads);
    }

    @Provides
    @IntoMap
    @StringKey("ssh")
    static CommandRunnerFactory ssh(Provider<Sessions> sessions) {
        return (scope, file) -> sessions.get().runner(scope.name().value(), SshSettings.read(file));
    }

    /**
     * Makes the runners of all connections, which share one transport; that is made when the first session is opened.
     */
    final class Sessions {
        private final ThreadFactory threads;
        /** The pauses after failed attempts to reach a host. */
        private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(30));

        private final MonotonicClock clock = new MonotonicClock();
        private final java.util.function.Supplier<SshTransport> transport;

        private Sessions(ThreadFactory threads) {
            this.threads = threads;
            this.transport = new Once<>(() -> new SshTransport(threads));
        }

        private SshCommandRunner runner(String connection, SshSettings settings) {
            SshOpener opener = new SshOpener(connection, settings, transport, clock);
            SshLink link = new SshLink(connection, opener, BACKOFF, clock, threads);
            return new SshCommandRunner(connection, link, settings.channels());
        }
    }
}
