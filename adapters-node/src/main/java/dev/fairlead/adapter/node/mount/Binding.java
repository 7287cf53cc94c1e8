package dev.fairlead.adapter.node.mount;

import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.MountCalls;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * Makes bind mounts.
 *
 * <p>From Linux 5.12 on, a mount is cloned, given its attributes while it is attached nowhere, and put in its place in
 * one step: a read-only publication is never writable, and a process that dies leaves either all of it or nothing. On
 * older kernels it is bound first and remounted with its flags after, as mount(8) does; a process that dies between the
 * two leaves a mount that a repeated call finds to differ, until it is unmounted. Both work on descriptors, so nobody
 * can swap a directory for a symbolic link on the way.
 */
final class Binding {
    private final Supplier<Boolean> newCalls;

    /** @param newCalls says whether to use the system calls of Linux 5.12 */
    Binding(Supplier<Boolean> newCalls) {
        this.newCalls = newCalls;
    }

    /** Makes bind mounts in the best way that this kernel supports, which is found out at the first use. */
    static Binding ofThisKernel() {
        return new Binding(() -> Kernel.HAS_NEW_CALLS);
    }

    /**
     * Makes a bind mount.
     *
     * @param options the options in force at the source, see {@link MountView.Shown}
     */
    void bind(PathHandle source, Path target, BindFlags flags, List<String> options) throws IOException {
        bind(source, target, PathHandle::ofDirectory, flags, options);
    }

    /** Makes a bind mount of a file over a file, as the other method does of directories. */
    void bindFile(PathHandle source, Path target, BindFlags flags, List<String> options) throws IOException {
        bind(source, target, PathHandle::of, flags, options);
    }

    private void bind(PathHandle source, Path target, Opening opening, BindFlags flags, List<String> options)
            throws IOException {
        if (newCalls.get()) {
            bindAtOnce(source, target, opening, flags);
            return;
        }
        try (PathHandle place = opening.open(target)) {
            MountCalls.bind(source, place);
        }
        setFlags(target, opening, flags, options);
    }

    private static void bindAtOnce(PathHandle source, Path target, Opening opening, BindFlags flags)
            throws LinuxException {
        try (PathHandle tree = MountCalls.cloneTree(source);
                PathHandle place = opening.open(target)) {
            if (!flags.changesNothing()) {
                MountCalls.setAttributes(tree, flags.set(), flags.clear());
            }
            MountCalls.attach(tree, place);
        }
    }

    /** Sets the flags asked for on a bind mount that has its source's options; one that refuses them is unmounted. */
    private static void setFlags(Path target, Opening opening, BindFlags flags, List<String> options)
            throws IOException {
        if (flags.changesNothing()) {
            return;
        }
        try (PathHandle mount = opening.open(target)) {
            MountCalls.remount(mount, BindFlags.legacy(flags.applyTo(BindFlags.attributesOf(options))));
            return;
        } catch (LinuxException e) {
            MountCalls.unmount(target);
            throw e;
        }
    }

    /** Opens the place of a mount. */
    @FunctionalInterface
    private interface Opening {
        PathHandle open(Path path) throws LinuxException;
    }

    private static final class Kernel {
        static final boolean HAS_NEW_CALLS = MountCalls.offersAttributes();
    }
}
