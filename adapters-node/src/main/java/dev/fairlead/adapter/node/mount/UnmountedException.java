package dev.fairlead.adapter.node.mount;

import java.io.IOException;

/** Tells that the mount in which an open directory lies has been unmounted since. */
final class UnmountedException extends IOException {
    private static final long serialVersionUID = 1L;

    UnmountedException(String what) {
        super(what);
    }
}
