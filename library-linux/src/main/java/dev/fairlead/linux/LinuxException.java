package dev.fairlead.linux;

import java.io.IOException;

/** Reports that a system call failed. */
public final class LinuxException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    public LinuxException(String call, int errno) {
        super(call + ": " + Errno.describe(errno));
        this.errno = errno;
    }

    public int errno() {
        return errno;
    }
}
