package dev.fairlead.adapter.node.mount;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/** Binds device nodes over empty files. Two nodes are the same if they stand for the same device, wherever they are. */
final class DeviceBinds {
    private final KernelThreads threads;
    private final MountView view;
    private final Binding binding;

    DeviceBinds(KernelThreads threads, MountView view, Binding binding) {
        this.threads = threads;
        this.view = view;
        this.binding = binding;
    }

    void bind(Path device, Path target, List<String> flags, Work work) {
        String what = "binding " + device + " at " + target;
        BindFlags wanted = BindFlags.of(flags);
        try {
            threads.run(what, List.of(device, target), work, wanting -> {
                long number =
                        numberOf(device).orElseThrow(() -> KernelThreads.fault(what, device + " is no block device"));
                if (view.at(target).isPresent()) {
                    verify(target, number, wanted);
                    return true;
                }
                if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                    wanting.effect(new Effect("touch", target.toString()), () -> touch(target));
                }
                refuseOther(target);
                wanting.effect(new Effect("bind", target.toString()), () -> bindNow(device, target, wanted));
                if (view.at(target).isEmpty()) {
                    throw KernelThreads.fault(what, "the kernel took it, and the mount table does not show it");
                }
                verify(target, number, wanted);
                return true;
            });
        } catch (IOException e) {
            throw KernelThreads.fault(what, e);
        }
    }

    private void verify(Path target, long number, BindFlags wanted) throws IOException {
        if (numberOf(target).filter(it -> it == number).isEmpty()) {
            throw LinuxMounter.conflict(target, "something else is mounted there, not this device");
        }
        var entry = view.at(target).orElseThrow(() -> new IOException(target + " is not mounted any more"));
        if (!wanted.onlyAccess().inForce(entry.options())) {
            throw LinuxMounter.conflict(target, LinuxMounter.mountedWith(entry) + ", which is not what is asked for");
        }
    }

    private void bindNow(Path device, Path target, BindFlags wanted) throws IOException {
        try (PathHandle source = PathHandle.of(device)) {
            List<String> options = view.shownBy(source).options();
            binding.bindFile(source, target, wanted, options);
        }
    }

    private static void touch(Path target) throws IOException {
        try {
            Files.createFile(target);
        } catch (FileAlreadyExistsException _) {
            // somebody else made it just now; the caller checks what it is
        }
    }

    private static void refuseOther(Path target) throws IOException {
        BasicFileAttributes found = Files.readAttributes(target, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isRegularFile() || found.size() > 0) {
            throw LinuxMounter.conflict(target, "it is not an empty file (expected: one, or nothing)");
        }
    }

    /** Returns the number of the device that a node stands for; empty if the path is no block device. */
    private static Optional<Long> numberOf(Path path) throws LinuxException {
        Path folder = Optional.ofNullable(path.getParent()).orElse(Path.of("/"));
        try (FileCalls calls = new FileCalls()) {
            int descriptor = calls.openFolder(folder);
            try {
                FileStat stat =
                        calls.stat(descriptor, path.getFileName().toString().getBytes(StandardCharsets.UTF_8));
                return stat.is(FileStat.Type.BLOCK_DEVICE) ? Optional.of(stat.device()) : Optional.empty();
            } finally {
                calls.closeFile(descriptor);
            }
        }
    }
}
