package dev.fairlead.adapter.kernel.host;

import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.host.PosixShell;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;

/**
 * Lets one writer at a time at the targets of a storage host, whichever process or connection it belongs to: a lock
 * that the host itself keeps, and lets go of when its holder ends, however that ends.
 *
 * @param file made where it is missing; in a directory that is root's alone, since root opens it for writing
 * @param patience how long to wait for it
 */
public record HostLock(String file, Duration patience) {
    private static final int NOT_GOT = 113;

    /** The lock of these targets, such as {@code lio}. */
    public static HostLock of(String targets) {
        return new HostLock("/run/fairlead-" + targets + ".lock", Duration.ofSeconds(30));
    }

    /** Lines for a POSIX shell: what follows them is done under the lock, and not at all without it. */
    public String taken() {
        String name = PosixShell.quote(file);
        return """
                umask 077
                exec 9>>%s || exit 1
                flock -w %d 9 || { [ $? -eq 1 ] && exit %d; exit 1; }
                """.formatted(name, patience.toSeconds(), NOT_GOT);
    }

    /** Throws where the script ended because another held the lock all the time. */
    public void requireTaken(Ended ended, ConnectionName connection) {
        if (ended.exitCode() == NOT_GOT) {
            throw new StorageException(new Failure.BackendUnavailable(
                    connection.value(),
                    "somebody else has been at work on the storage host's targets for " + patience.toSeconds()
                            + " s and holds " + file + "; it is tried again"));
        }
    }
}
