package dev.fairlead.adapter.ssh;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.MonotonicClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** Runners for tests, with little patience. */
final class SshFixture {
    static final Backoff QUICK = new Backoff(Duration.ofMillis(50), Duration.ofMillis(400));
    static final ThreadFactory THREADS = Thread.ofPlatform().daemon().factory();
    private static final Once<SshTransport> TRANSPORT = new Once<>(() -> new SshTransport(THREADS));

    private SshFixture() {}

    static SshSettings settings(int port) {
        return new SshSettings(
                "127.0.0.1",
                port,
                ShellServer.USER,
                password(ShellServer.PASSWORD),
                new SshSettings.HostKeyTrust(List.of(), Optional.empty(), false),
                new SshSettings.Timing(Duration.ofSeconds(20), Duration.ofSeconds(1), 3),
                SshSettings.AddressFamily.ANY,
                Map.of(),
                8);
    }

    static SshSettings.Credentials password(String password) {
        return new SshSettings.Credentials(Optional.of(new Secret(password)), Optional.empty(), Optional.empty(), true);
    }

    static SshSettings with(SshSettings base, SshSettings.Credentials credentials) {
        return new SshSettings(
                base.host(),
                base.port(),
                base.username(),
                credentials,
                base.trust(),
                base.timing(),
                base.family(),
                base.algorithms(),
                base.channels());
    }

    static SshSettings with(SshSettings base, SshSettings.HostKeyTrust trust) {
        return new SshSettings(
                base.host(),
                base.port(),
                base.username(),
                base.credentials(),
                trust,
                base.timing(),
                base.family(),
                base.algorithms(),
                base.channels());
    }

    static SshSettings with(SshSettings base, SshSettings.Timing timing) {
        return new SshSettings(
                base.host(),
                base.port(),
                base.username(),
                base.credentials(),
                base.trust(),
                timing,
                base.family(),
                base.algorithms(),
                base.channels());
    }

    static SshSettings with(SshSettings base, Map<String, List<String>> algorithms) {
        return new SshSettings(
                base.host(),
                base.port(),
                base.username(),
                base.credentials(),
                base.trust(),
                base.timing(),
                base.family(),
                algorithms,
                base.channels());
    }

    static SshCommandRunner runner(SshSettings settings) {
        return new SshCommandRunner("nas", link(settings), settings.channels());
    }

    /** One that waits for a channel for no longer than a moment. */
    static SshCommandRunner hasty(SshSettings settings) {
        return new SshCommandRunner("nas", link(settings), settings.channels(), Duration.ofMillis(500));
    }

    private static SshLink link(SshSettings settings) {
        MonotonicClock clock = new MonotonicClock();
        return new SshLink("nas", new SshOpener("nas", settings, TRANSPORT, clock), QUICK, clock, THREADS);
    }
}
