package dev.fairlead.adapter.kernel.host;

import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.host.PosixShell;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;

/**
 * Lets one writer at a time change the targets of a storage host, across processes and connections. The host itself
 * keeps the lock and releases it when its holder ends, however that ends.
 *
 * @param file made if it is missing; in a directory that only root can write, since root opens it for writing
 * @param patience how long to wait for it
 */
public record HostLock(String file, Duration patience) {
    private static final int NOT_GOT = 113;

    /** Returns the lock of these targets, such as {@code lio}. */
    public static HostLock of(String targets) {
        return new HostLock("/run/fairlead-" + targets + ".lock", Duration.ofSeconds(30));
    }

    /**
     * Returns lines for a POSIX shell that take the lock; the lines after them run under it, or not at all if it is not
     * obtained.
     */
    public String taken() {
        String name = PosixShell.quote(file);
        return """
                umask 077
                exec 9>>%s || exit 1
                flock -w %d 9 || { [ $? -eq 1 ] && exit %d; exit 1; }
                """.formatted(name, patience.toSeconds(), NOT_GOT);
    }

    /** Throws if the script ended because another holder kept the lock the whole time. */
    public void requireTaken(Ended ended, ConnectionName connection) {
        if (ended.exitCode() == NOT_GOT) {
            throw new StorageException(new Failure.BackendUnavailable(
                    connection.value(),
                    "somebody else has been at work on the storage host's targets for " + patience.toSeconds()
                            + " s and holds " + file + "; it is tried again"));
        }
    }
}
