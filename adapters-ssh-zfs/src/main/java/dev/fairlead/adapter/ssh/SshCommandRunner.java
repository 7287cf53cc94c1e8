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
import java.util.regex.Pattern;
import org.apache.sshd.client.session.ClientSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs programs on a host over SSH: all those of a connection on one session, each on a channel of its own. */
final class SshCommandRunner implements CommandRunner {
    private static final Duration CHANNEL = Duration.ofSeconds(20);

    /** The message of csh and tcsh about a quote that is not closed before the end of the line. */
    private static final Pattern UNMATCHED = Pattern.compile("^Unmatched [\"'`]");

    private static final Logger log = LoggerFactory.getLogger(SshCommandRunner.class);

    private final String connection;
    private final SshLink link;
    private final Turns turns;
    private final Duration patience;
    private final AtomicReference<@Nullable ClientSession> latest = new AtomicReference<>();

    SshCommandRunner(String connection, SshLink link, int channels) {
        this(connection, link, channels, CHANNEL);
    }

    /** @param patience how long a server may take to open a channel */
    SshCommandRunner(String connection, SshLink link, int channels, Duration patience) {
        this.connection = connection;
        this.link = link;
        this.turns = new Turns(channels);
        this.patience = patience;
    }

    /** Returns how many programs may run at once on the server, as far as is known. */
    int channels() {
        return turns.most();
    }

    @Override
    public Ended run(Command command, Work work) {
        try {
            return understood(runInTurn(command, work));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(work.what()), e);
        }
    }

    /**
     * Throws if the answer is that of csh or tcsh, which accept no line break between quotes and so have run nothing.
     */
    private Ended understood(Ended ended) {
        if (ended.exitCode() == 1 && UNMATCHED.matcher(ended.errors()).find()) {
            throw new StorageException(new Failure.BackendRejected(
                    connection,
                    "the account's login shell on the storage host is no POSIX shell (csh or tcsh: \""
                            + ended.errors().strip()
                            + "\"); give the account another, as by 'chsh -s /bin/sh', or log in as one that has it"));
        }
        return ended;
    }

    /**
     * Runs a command in its turn. One with a long deadline is refused rather than queued if there are enough of its
     * kind: the others would wait for hours behind it.
     */
    private Ended runInTurn(Command command, Work work) throws InterruptedException {
        if (!command.isLasting()) {
            return runOnChannel(command, work);
        }
        if (!turns.beginLasting()) {
            throw link.unavailable("as many copies are under way as leave it channels for all else; ask again", null);
        }
        try {
            return runOnChannel(command, work);
        } finally {
            turns.endLasting();
        }
    }

    /**
     * Runs a command on a channel, and again if it could not be started; a command that was started is never repeated.
     */
    private Ended runOnChannel(Command command, Work work) throws InterruptedException {
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
        if (!session.equals(latest.getAndSet(session))) {
            turns.widen(); // a new session has all its channels again
        }
        boolean usedUp = true;
        try {
            RemoteCommand remote = new RemoteCommand(connection, command, session);
            try {
                work.effect(command.effect(), () -> {
                    remote.start(patience);
                    ended.set(remote.finish(work));
                });
                return ended.get();
            } finally {
                remote.release();
                usedUp = remote.holdsChannel();
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
