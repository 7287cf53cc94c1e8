package dev.fairlead.adapter.node.mount;

import dev.fairlead.adapter.node.block.BlockTargets;
import dev.fairlead.adapter.node.filesystem.LinuxFilesystems;
import dev.fairlead.adapter.node.journal.FileJournal;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.DescribeNode;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.node.NodeGrowth;
import dev.fairlead.domain.base.VolumeBases;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** This machine's kernel and programs as those of a node, for tests that attach and mount for real. */
public record KernelNode(KernelThreads threads, CommandRunner programs, LinuxMounter mounter, Duration patience) {
    /** @param patience how long a kernel call and a program may take */
    public static KernelNode of(Duration patience) {
        KernelThreads threads = new KernelThreads(
                MountSandbox.THREADS, NodeSettings.KERNEL_CALLS, patience, BlockTargets.ofThisKernel());
        CommandRunner programs = new LocalPrograms();
        return new KernelNode(threads, programs, LinuxMounter.ofThisKernel(threads, programs, patience), patience);
    }

    public NodeSettings settings(Path journal) {
        return new NodeSettings(
                List::of,
                journal,
                MountSandbox.THREADS,
                NodeSettings.KERNEL_CALLS,
                patience,
                List.of(),
                FilesystemSettings.NONE,
                VolumeBases.NONE);
    }

    public LinuxFilesystems filesystems() {
        return new LinuxFilesystems(threads, programs, FilesystemSettings.NONE);
    }

    /** Returns the use cases of a node that has one attacher. */
    public NodeUseCases useCases(Attacher<?> attacher, Path journal) {
        return UseCases.node(
                new NodePorts(mounter, List.of(attacher), filesystems(), new FileJournal(journal)),
                new HandleCodec.Proxied(),
                new KeyedLocks(InstantSource.system()),
                NodeGrowth.ELSEWHERE,
                () -> new DescribeNode.Description("node", 0, Optional.empty()));
    }

    /** Binds a device as a raw volume is staged, in a folder of its own. */
    public Path bindDevice(Path device) {
        Path place = Path.of("/run/raw-" + ProcessHandle.current().pid(), "block_device");
        mounter.makeDirectory(place.resolveSibling(""), TestWork.patient());
        mounter.bindDevice(device, place, List.of(), TestWork.patient());
        return place;
    }

    public void unbindDevice(Path place) {
        mounter.unmount(place, TestWork.patient());
        mounter.removeDirectory(place, TestWork.patient());
        mounter.removeDirectory(place.resolveSibling(""), TestWork.patient());
    }

    /** Formats a device and mounts it in another mount namespace, until it is closed. */
    public static Elsewhere mountElsewhere(Path device) throws IOException {
        String script = "mkfs.ext4 -q " + device + " && mount " + device + " /mnt && echo mounted && sleep 600";
        Process process = new ProcessBuilder("unshare", "--mount", "sh", "-c", script).start();
        String said = new String(process.getInputStream().readNBytes(7), StandardCharsets.US_ASCII);
        if (!said.equals("mounted")) {
            throw new IOException("a mount in another mount namespace failed");
        }
        return new Elsewhere(process);
    }

    /** A mount in another mount namespace. */
    public record Elsewhere(Process process) implements AutoCloseable {
        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            var _ = process.destroyForcibly().onExit().join();
        }
    }
}
