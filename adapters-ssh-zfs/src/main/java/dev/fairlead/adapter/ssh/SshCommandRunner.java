package dev.fairlead.adapter.ssh;

import dev.fairlead.adapter.ssh.RemoteCommand.NoChannel;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.sshd.client.session.ClientSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Programs on a host that is reached over SSH: all of a connection's on one session, each on a channel of its own. */
final class SshCommandRunner implements CommandRunner {
    private static final Duration CHANNEL = Duration.ofSeconds(20);

    private static final Logger log = LoggerFactory.getLogger(SshCommandRunner.class);

    private final String connection;
    private final SshLink link;
    private final Turns turns;

    SshCommandRunner(String connection, SshLink link, int channels) {
        this.connection = connection;
        this.link = link;
        this.turns = new Turns(channels);
    }

    @Override
    public Ended run(Command command, Work work) {
        try {
            return runInTurn(command, work);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(work.what()), e);
        }
    }

    /** A program that could not be started is tried again; one that was, never. */
    private Ended runInTurn(Command command, Work work) throws InterruptedException {
        while (true) {
            if (!turns.take(work)) {
                throw link.unavailable("all of its " + turns.most() + " channels are busy", null);
            }
            try {
                return runOnSession(command, work);
            } catch (NoChannel e) {
                if (!turns.narrow()) {
                    throw link.unavailable("it opens no channel: " + e.getMessage(), e);
                }
                log.atWarn()
                        .addKeyValue("connection", connection)
                        .addKeyValue("channels", turns.most())
                        .log("the server allows fewer sessions than were used; one less from now on");
            } catch (IOException e) {
                throw link.unavailable("the program was not started: " + SshFailures.detail(e), e);
            } finally {
                turns.release();
            }
        }
    }

    private Ended runOnSession(Command command, Work work) throws IOException, InterruptedException {
        AtomicReference<Ended> ended = new AtomicReference<>(Ended.with(0, "", ""));
        ClientSession session = link.session(work);
        boolean usedUp = true;
        try {
            RemoteCommand remote = new RemoteCommand(connection, command, session);
            try {
                work.effect(command.effect(), () -> {
                    remote.start(CHANNEL);
                    ended.set(remote.finish());
                });
                return ended.get();
            } finally {
                usedUp = remote.isAbandoned();
                remote.release();
            }
        } finally {
            link.leave(session, usedUp);
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
