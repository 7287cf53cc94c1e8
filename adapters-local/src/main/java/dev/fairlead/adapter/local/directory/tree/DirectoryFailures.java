package dev.fairlead.adapter.local.directory.tree;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.ErrorText;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** Turns errors of the file system into failures. One that is not known to be final will be retried. */
public record DirectoryFailures(ConnectionName connection) {
    /** Runs an action on the file system and turns its error into a failure. */
    public <T> T during(String doing, Action<T> action) {
        try {
            return action.run();
        } catch (IOException e) {
            throw of(doing, e);
        }
    }

    StorageException of(String doing, IOException e) {
        String detail = doing + ": " + words(e);
        return new StorageException(failure(errno(e), detail), e);
    }

    private Failure failure(int errno, String detail) {
        String name = connection.value();
        return switch (errno) {
            case Errno.ENOSPC, Errno.EDQUOT -> new Failure.OutOfSpace(name, detail);
            case Errno.EROFS, Errno.EACCES, Errno.EPERM -> new Failure.StorageReadOnly(name, detail);
            default -> new Failure.BackendUnavailable(name, detail);
        };
    }

    public StorageException unavailable(String detail) {
        return new StorageException(new Failure.BackendUnavailable(connection.value(), detail));
    }

    /** Returns the error number behind an exception, 0 if there is none. */
    public static int errno(IOException e) {
        for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
            int errno = switch (cause) {
                case LinuxException linux -> linux.errno();
                case NoSuchFileException _ -> Errno.ENOENT;
                case AccessDeniedException _ -> Errno.EACCES;
                case FileAlreadyExistsException _ -> Errno.EEXIST;
                case DirectoryNotEmptyException _ -> Errno.ENOTEMPTY;
                case FileSystemException file -> byText(file.getReason());
                case IOException other -> byText(other.getMessage());
                default -> 0;
            };
            if (errno != 0) {
                return errno;
            }
        }
        return 0;
    }

    private static int byText(@Nullable String text) {
        return text == null ? 0 : ErrorText.errno(text).orElse(0);
    }

    private static String words(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> missing.getFile() + " does not exist";
            case AccessDeniedException denied -> denied.getFile() + ": permission denied";
            case FileAlreadyExistsException there -> there.getFile() + " exists";
            default -> String.valueOf(e.getMessage());
        };
    }

    /** Does something that the file system may refuse. */
    @FunctionalInterface
    public interface Action<T> {
        T run() throws IOException;
    }
}
