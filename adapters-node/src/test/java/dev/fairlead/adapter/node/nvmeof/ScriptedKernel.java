package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.adapter.node.block.BlockHolders;
import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.block.BlockUse;
import dev.fairlead.adapter.node.block.KernelFiles;
import dev.fairlead.adapter.node.block.MultipathMaps;
import dev.fairlead.adapter.node.block.PortProbe;
import dev.fairlead.adapter.node.block.SysfsFiles;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.KernelWait;
import dev.fairlead.adapter.node.mount.EndingThreads;
import dev.fairlead.adapter.node.mount.FileTrees;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.linux.DeviceCalls;
import dev.fairlead.testkit.fake.node.FakeJournal;
import dev.fairlead.testkit.fake.node.FakeMounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

/** Plays the kernel's NVMe host on a folder: controllers, subsystems and namespaces are files of it. */
final class ScriptedKernel implements Fabrics, KernelFiles.Receiver, PortProbe, CommandRunner {
    /** The namespaces of each subsystem. */
    final Map<String, List<Integer>> subsystems = new HashMap<>();
    /** Addresses that answer nothing, and those whose target does not admit the node. */
    final Set<String> silent = new HashSet<>();

    final Set<String> refusing = new HashSet<>();
    /** Addresses to which the kernel connects only when told, whoever waits for it. */
    final Map<String, CountDownLatch> hanging = new ConcurrentHashMap<>();

    /** What is thrown by those that connect next, one for each. */
    final Queue<Error> defects = new ConcurrentLinkedQueue<>();

    final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
    final BlockingQueue<String> disconnected = new LinkedBlockingQueue<>();
    final List<String> connected = new CopyOnWriteArrayList<>();
    final List<String> commands = new CopyOnWriteArrayList<>();
    final FakeMounts mounts = new FakeMounts();
    final FakeJournal journal = new FakeJournal();
    boolean multipath = true;
    Fabrics fabrics = this;
    /** How long a process counts with connections that one before it began. */
    Duration late = Duration.ZERO;
    /** How often the kernel does not take that a connection is to be ended. */
    int busy;
    /** The state of a controller that is made. */
    String state = "live";

    Set<String> options = Set.of("transport", "traddr");
    /** The size that a namespace has from when it is looked at. */
    String size = "2048";
    /** What programs wait for. */
    CountDownLatch answering = new CountDownLatch(0);

    final Path root;
    private int controllers;
    private int blocks;

    ScriptedKernel(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(root.resolve("dev"));
        Files.createDirectories(root.resolve("sys/class/block"));
        Files.writeString(root.resolve("boot_id"), "one\n");
    }

    private final AttachedVolumes volumes = new AttachedVolumes(journal);
    private final AttachLocks locks = new AttachLocks();
    private final EndingThreads running = new EndingThreads();
    final ConnectAttempts attempts = new ConnectAttempts(running);

    NvmeofAttacher attacher() {
        return attacher(Duration.ofMinutes(10));
    }

    NvmeofAttacher attacher(Duration betweenAttempts) {
        KernelThreads threads = MountSandbox.threads(root);
        NvmeofConnections connections = new NvmeofConnections(
                sysfs(),
                fabrics,
                new KernelFiles(threads, this),
                this,
                this,
                work -> NvmeofHost.read(root.resolve("etc/nvme"), root.resolve("journal"), work),
                running,
                attempts,
                Duration.ofSeconds(5));
        BlockUse use = new BlockUse(new BlockTree(root.resolve("sys")), threads, root.resolve("dev"));
        MultipathMaps maps = new MultipathMaps(use.tree(), this, threads, use.dev(), Duration.ofMillis(300));
        OwnConnections own = new OwnConnections(root.resolve("journal"), root.resolve("boot_id"), late);
        UnusedConnections unused = new UnusedConnections(mounts, volumes, connections, own, locks, use, maps);
        return new NvmeofAttacher(
                unused,
                new NvmeofRetry(unused, running, betweenAttempts),
                new NamespaceDevices(connections.reads(), use, maps, new KernelWait(Duration.ofMillis(300))));
    }

    /** Notes a volume in the journal, as staging does before it attaches. */
    void stage(String handle, Attachment.Nvmeof volume) {
        journal.stage(handle, volume, Map.of());
    }

    NvmeofSysfs sysfs() {
        return new NvmeofSysfs(root.resolve("sys"));
    }

    @Override
    public Set<String> options(Work work) {
        return options;
    }

    @Override
    public Optional<String> atWork() {
        return Optional.empty();
    }

    @Override
    public void ask(InetAddress address, int port) throws IOException {
        if (silent.contains(address.getHostAddress())) {
            throw new ConnectException("timed out");
        }
    }

    @Override
    public void connect(String shown, Secret text, Work work) throws IOException {
        work.effect(new Effect("nvme-connect", shown), () -> {
            begun.add(shown);
            Error thrown = defects.poll();
            if (thrown != null) {
                throw thrown;
            }
            for (Map.Entry<String, CountDownLatch> each : hanging.entrySet()) {
                if (text.reveal().contains("traddr=" + each.getKey() + ",")) {
                    await(each.getValue());
                }
            }
            connect(text.reveal());
        });
    }

    synchronized void connect(String text) throws IOException {
        connected.add(text);
        Map<String, String> given = Arrays.stream(text.split(",", -1))
                .collect(Collectors.toMap(
                        word -> word.replaceFirst("=.*", ""), word -> word.replaceFirst("^[^=]*=?", "")));
        if (refusing.contains(given.getOrDefault("traddr", ""))
                || !subsystems.containsKey(given.getOrDefault("nqn", ""))) {
            DeviceCalls.write(Path.of("/dev/full"), "refused".getBytes(StandardCharsets.UTF_8));
        }
        String name = "nvme" + controllers;
        controllers++;
        Path folder = Files.createDirectories(
                root.resolve("sys/devices/virtual/nvme-fabrics/ctl").resolve(name));
        write(folder, "subsysnqn", given.getOrDefault("nqn", ""));
        write(folder, "transport", given.getOrDefault("transport", ""));
        write(folder, "state", state);
        write(
                folder,
                "address",
                "traddr=" + given.getOrDefault("traddr", "") + ",trsvcid=" + given.getOrDefault("trsvcid", ""));
        if (given.containsKey("dhchap_secret")) {
            write(folder, "dhchap_secret", given.getOrDefault("dhchap_secret", ""));
        }
        if (given.containsKey("tls")) {
            write(folder, "tls_key", "26b3260e");
        }
        write(folder, "delete_controller", "");
        write(folder, "rescan_controller", "");
        link("sys/class/nvme/" + name, folder);
        scan(folder);
    }

    /** Shows the namespaces of a controller's subsystem that are not shown yet, and the size of all. */
    private void scan(Path controller) throws IOException {
        String nqn = Files.readString(controller.resolve("subsysnqn")).strip();
        Path subsystem = subsystem(nqn);
        Path holder = multipath ? subsystem : controller;
        for (int nsid : subsystems.getOrDefault(nqn, List.of())) {
            boolean shown = sysfs().namespaces(nqn, nsid).stream()
                    .anyMatch(it -> it.folder().startsWith(holder));
            if (!shown) {
                show(holder, nqn, nsid);
            }
            for (NvmeofSysfs.Namespace each : sysfs().namespaces(nqn, nsid)) {
                write(each.folder(), "size", size);
            }
        }
    }

    private Path subsystem(String nqn) throws IOException {
        String name = "nvme-subsys" + nqn.hashCode();
        Path folder = root.resolve("sys/devices/virtual/nvme-subsystem").resolve(name);
        if (!Files.exists(folder)) {
            Files.createDirectories(folder);
            write(folder, "subsysnqn", nqn);
            link("sys/class/nvme-subsystem/" + name, folder);
        }
        return folder;
    }

    private void show(Path holder, String nqn, int nsid) throws IOException {
        String block = "nvme" + blocks + "n1";
        Path folder = Files.createDirectories(holder.resolve(block));
        write(folder, "nsid", String.valueOf(nsid));
        write(folder, "wwid", "uuid." + nqn + "." + nsid);
        link("sys/class/block/" + block, folder);
        link("sys/dev/block/259:" + blocks, folder);
        Files.writeString(root.resolve("dev/" + block), "");
        mounts.existingDevice(root.resolve("dev/" + block));
        blocks++;
    }

    @Override
    public synchronized void write(Path file, String text) throws IOException {
        switch (String.valueOf(file.getFileName())) {
            case "delete_controller" -> {
                if (busy > 0) {
                    busy--;
                    throw new IOException("Device or resource busy");
                }
                disconnect(file.resolveSibling(""));
            }
            case "rescan_controller" -> scan(file.resolveSibling(""));
            default -> throw new IOException("nobody writes to " + file);
        }
    }

    /** Lets each connection to a subsystem be lost, so that the kernel tries to make it anew. */
    synchronized void lose(String nqn) throws IOException {
        for (NvmeofSysfs.Controller each : sysfs().controllers(nqn)) {
            write(each.folder(), "state", "connecting");
        }
    }

    /** Ends a connection, as the kernel does of itself as well. */
    synchronized void disconnect(Path controller) throws IOException {
        String nqn = Files.readString(controller.resolve("subsysnqn")).strip();
        disconnected.add(nqn);
        hide(controller);
        Files.delete(root.resolve("sys/class/nvme/" + controller.getFileName()));
        FileTrees.delete(controller);
        if (sysfs().controllers(nqn).isEmpty()) {
            Path subsystem = subsystem(nqn);
            hide(subsystem);
            Files.delete(root.resolve("sys/class/nvme-subsystem/" + subsystem.getFileName()));
            FileTrees.delete(subsystem);
        }
    }

    private void hide(Path holder) throws IOException {
        for (Path folder : SysfsFiles.children(holder, _ -> true)) {
            String block = String.valueOf(folder.getFileName());
            if (Files.exists(folder.resolve("nsid"))) {
                Files.delete(root.resolve("sys/class/block/" + block));
                Files.delete(root.resolve("dev/" + block));
                mounts.withoutDevice(root.resolve("dev/" + block));
            }
        }
    }

    /** Lets a block device have something that is made of it. */
    void hold(String block, String by, String uuid) throws IOException {
        BlockHolders.hold(root, block, by, uuid, by + "-name", size);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Ended run(Command command, Work work) {
        commands.add(String.join(" ", command.argv()));
        await(answering);
        return multipath(command.argv());
    }

    private synchronized Ended multipath(List<String> argv) {
        try {
            if (argv.contains("resize")) {
                String map = argv.getLast().replace("-name", "");
                write(root.resolve("sys/class/block").resolve(map), "size", size);
                return Ended.with(0, "ok", "");
            }
            for (Path block : SysfsFiles.children(root.resolve("sys/class/block"), _ -> true)) {
                if (Files.isDirectory(block.resolve("holders"))) {
                    FileTrees.delete(block.resolve("holders"));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Ended.with(0, "", "");
    }

    @Override
    public void close() {
        running.close();
    }

    private void link(String name, Path target) throws IOException {
        Path link = root.resolve(name);
        Files.createDirectories(link.getParent());
        if (!Files.exists(link)) {
            Files.createSymbolicLink(link, target);
        }
    }

    private static void write(Path folder, String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text + "\n");
    }
}
