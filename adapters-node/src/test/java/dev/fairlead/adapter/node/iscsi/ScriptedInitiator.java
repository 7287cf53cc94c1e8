package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.adapter.node.block.BlockHolders;
import dev.fairlead.adapter.node.block.BlockUse;
import dev.fairlead.adapter.node.block.KernelFiles;
import dev.fairlead.adapter.node.block.MultipathMaps;
import dev.fairlead.adapter.node.block.PortProbe;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.KernelWait;
import dev.fairlead.adapter.node.mount.EndingThreads;
import dev.fairlead.adapter.node.mount.FileTrees;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeJournal;
import dev.fairlead.testkit.fake.node.FakeMounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Plays open-iscsi and the kernel on a folder: records, sessions, disks and maps are files of it. */
final class ScriptedInitiator implements CommandRunner, KernelFiles.Receiver, PortProbe {
    /** The LUNs of each target. */
    final Map<String, List<Integer>> targets = new HashMap<>();
    /** The exit code of a login at a portal; 0 if it is not named. */
    final Map<String, Integer> refusals = new HashMap<>();

    /** The numbers of sessions that iscsiadm does not log out. */
    final Set<String> staying = ConcurrentHashMap.newKeySet();

    /** Portals at which nothing answers a probe. */
    final Set<String> silent = ConcurrentHashMap.newKeySet();
    /** The identity of the disks that a portal shows, if it is not that of the target's LUN. */
    final Map<String, String> others = new HashMap<>();
    /** Whether multipathd makes such disks paths of the map. */
    boolean mapsOthers;

    /** Portals whose sessions show no LUN, and what each look for one counts down. */
    final Set<String> hiding = ConcurrentHashMap.newKeySet();

    CountDownLatch looks = new CountDownLatch(0);
    Duration appearing = Duration.ofMillis(300);

    final List<String> probes = new CopyOnWriteArrayList<>();
    final List<String> commands = new CopyOnWriteArrayList<>();
    final FakeJournal journal = new FakeJournal();
    Duration beforeRetry = Duration.ofHours(1);
    final FakeMounts mounts = new FakeMounts();
    final KernelThreads threads;
    final AttachLocks locks = new AttachLocks();
    private final EndingThreads running = new EndingThreads();
    private PortalProbes asking = probing();
    KernelFiles.Receiver receiver = this;
    boolean multipathd;
    /** Whether multipathd makes maps of known ids only, as by {@code find_multipaths strict}. */
    boolean strict;

    /** How often multipathd says that it has not heard of a new disk. */
    int unheard;

    private boolean known;
    /** What the first login ends as it begins, and what each waits for before it takes effect. */
    final CountDownLatch asked = new CountDownLatch(1);

    CountDownLatch answering = new CountDownLatch(0);

    private final Path root;
    final ScriptedRecords records;
    private int sessions;
    private int blocks;

    /** Makes a node whose open-iscsi runs among the host's mounts, and an attacher in a container. */
    ScriptedInitiator(Path root) throws IOException {
        this.root = root;
        this.threads = MountSandbox.threads(root);
        this.records = new ScriptedRecords(root.resolve("var/lib/iscsi/nodes"));
        Path host = Files.createDirectories(root.resolve("host/proc/1"));
        Files.createSymbolicLink(host.resolve("root"), root);
        Files.writeString(root.resolve("boot_id"), "one\n");
    }

    /** Makes what a process has of its own, which remembers nothing of an earlier one's portals. */
    IscsiAttacher attacher() {
        asking = probing();
        return new IscsiAttacher(mounts, logins(), paths(), locks, retry());
    }

    IscsiRetry retry() {
        return new IscsiRetry(logins(), paths(), journal, locks, running, beforeRetry);
    }

    private IscsiLogins logins() {
        IscsiTools tools = new IscsiTools(this, threads, root, Duration.ofSeconds(5));
        return new IscsiLogins(
                tools,
                new NodeRecords(
                        tools,
                        new RecordRoots(root.resolve("container"), root.resolve("host/proc")),
                        new OwnRecords(root.resolve("journal"), root.resolve("boot_id"))),
                paths().devices().reads(),
                asking,
                running);
    }

    private PortalProbes probing() {
        return new PortalProbes(this, running, Duration.ZERO, Duration.ofHours(1));
    }

    private LunPaths paths() {
        Sysfs sysfs = new Sysfs(root.resolve("sys"));
        LunDevices devices = new LunDevices(
                new SysfsReads(sysfs, threads),
                new MultipathMaps(sysfs.blocks(), this, threads, root.resolve("dev"), Duration.ofSeconds(5)),
                new BlockUse(sysfs.blocks(), threads, root.resolve("dev")),
                new KernelFiles(threads, (file, text) -> receiver.write(file, text)));
        return new LunPaths(devices, new KernelWait(appearing));
    }

    /** Returns the stage secret of a node that its target knows by this password. */
    static Map<String, Secret> chap(String password) {
        String auth = "node-db.node.session.auth.";
        return Map.of(auth + "username", new Secret("node-1"), auth + "password", new Secret(password));
    }

    Path root() {
        return root;
    }

    List<Path> files(String below) {
        return FileTrees.files(root.resolve(below));
    }

    @Override
    public Ended run(Command command, Work work) {
        AtomicReference<Ended> ended = new AtomicReference<>(Ended.with(1, "", ""));
        work.effect(command.effect(), () -> {
            if (command.argv().contains("--login")) {
                asked.countDown();
                await(answering);
            }
            ended.set(ran(command.argv()));
        });
        return ended.get();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private synchronized Ended ran(List<String> argv) {
        commands.add(String.join(" ", argv));
        try {
            if (argv.getFirst().startsWith("multipath")) {
                return multipath(argv);
            }
            if (argv.get(2).equals("session") && staying.contains(argv.get(4))) {
                return Ended.with(20, "", "iscsid does not answer");
            }
            return argv.get(2).equals("session")
                    ? logOut(argv.get(4))
                    : node(argv.get(4), argv.get(6), argv.subList(7, argv.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Logs in as the node's administrator does: by a record with the usual values, and for all LUNs. */
    void logInByHand(String iqn, String portal) throws IOException {
        var _ = records.make(iqn, portal);
        var _ = node(iqn, portal, List.of("--login"));
    }

    /** Starts the node again, without its sessions and disks. */
    void reboot(String boot) throws IOException {
        FileTrees.delete(root.resolve("sys"));
        FileTrees.delete(root.resolve("dev"));
        Files.writeString(root.resolve("boot_id"), boot + "\n");
    }

    private Ended node(String iqn, String portal, List<String> operation) throws IOException {
        if (operation.contains("new")) {
            var _ = records.make(iqn, portal);
        } else if (operation.contains("delete")) {
            Files.delete(records.file(iqn, portal));
        } else {
            int refused = refusals.getOrDefault(portal, 0);
            if (refused != 0) {
                return Ended.with(refused, "", "login to " + portal + " failed");
            }
            logIn(iqn, portal);
            if (records.scanForAll(iqn, portal)) {
                showAll(iqn);
            }
        }
        return Ended.with(0, "", "");
    }

    private void showAll(String iqn) throws IOException {
        for (int lun : targets.getOrDefault(iqn, List.of())) {
            show(Integer.toString(sessions), Integer.toString(lun));
        }
    }

    private void logIn(String iqn, String portal) throws IOException {
        sessions++;
        new ScriptedSession(root, sessions).make(iqn, portal);
    }

    Ended logOut(String number) throws IOException {
        FileTrees.delete(root.resolve("sys/devices/host" + number));
        FileTrees.delete(root.resolve("sys/class/iscsi_session/session" + number));
        return Ended.with(0, "", "");
    }

    private Ended multipath(List<String> argv) throws IOException {
        if (argv.contains("-a")) {
            known = true;
        } else if (argv.contains("add") && !multipathd) {
            return Ended.with(1, "", "");
        } else if (argv.contains("add") && unheard > 0) {
            unheard--;
            return Ended.with(1, "fail\n", "");
        } else if (argv.contains("add") && (known || !strict)) {
            map(argv.getLast());
        }
        if (argv.contains("-f")) {
            BlockHolders.remove(root, "dm-0");
        }
        return Ended.with(0, "ok", "");
    }

    @Override
    public synchronized void write(Path file, String text) throws IOException {
        Path folder = Objects.requireNonNull(file.getParent());
        switch (String.valueOf(file.getFileName())) {
            case "scan" ->
                show(String.valueOf(folder.getFileName()).substring("host".length()), text.replaceFirst("0 0 ", ""));
            case "delete" -> {
                try (Stream<Path> blocks = Files.list(folder.resolve("block"))) {
                    for (Path each : blocks.toList()) {
                        Files.delete(root.resolve("sys/class/block").resolve(each.getFileName()));
                        mounts.withoutDevice(root.resolve("dev").resolve(each.getFileName()));
                    }
                }
                FileTrees.delete(folder);
            }
            default -> {} // a disk that is looked at anew shows what it showed before
        }
    }

    private void show(String number, String lun) throws IOException {
        Path session = root.resolve("sys/devices/host" + number + "/session" + number);
        String iqn = Files.readString(root.resolve("sys/class/iscsi_session/session" + number + "/targetname"))
                .strip();
        String portal = Files.readString(root.resolve("sys/class/iscsi_session/session" + number + "/portal"));
        if (hiding.contains(portal)) {
            looks.countDown();
            return;
        }
        if (!targets.getOrDefault(iqn, List.of()).contains(Integer.parseInt(lun))) {
            return;
        }
        Path disk = Files.createDirectories(session.resolve("target" + number + ":0:0/" + number + ":0:0:" + lun));
        String block = "sd" + (char) ('a' + blocks);
        Files.writeString(disk.resolve("type"), "0\n");
        Files.writeString(disk.resolve("state"), "running\n");
        Files.writeString(disk.resolve("wwid"), others.getOrDefault(portal, "naa." + iqn + lun));
        Files.writeString(disk.resolve("delete"), "");
        Files.writeString(disk.resolve("rescan"), "");
        Path folder = Files.createDirectories(disk.resolve("block/" + block));
        Files.createSymbolicLink(folder.resolve("device"), disk);
        Files.createDirectories(root.resolve("sys/class/block"));
        Files.createDirectories(root.resolve("sys/dev/block"));
        Files.createDirectories(root.resolve("dev"));
        Files.createSymbolicLink(root.resolve("sys/class/block/" + block), folder);
        Path numbers = root.resolve("sys/dev/block/8:" + 16 * blocks);
        Files.createSymbolicLink(numbers, folder);
        Files.writeString(root.resolve("dev/" + block), "");
        mounts.existingDevice(root.resolve("dev/" + block));
        blocks++;
        if (multipathd && (known || !strict) && (mapsOthers || !others.containsKey(portal))) {
            map(block);
        }
    }

    @Override
    public void ask(InetAddress address, int port) throws IOException {
        String portal = address.getHostAddress() + ":" + port;
        probes.add(portal);
        if (silent.contains(portal)) {
            throw new IOException("no answer from " + portal);
        }
    }

    /** Has multipathd make a map over a disk. */
    void map(String block) throws IOException {
        BlockHolders.hold(root, block, "dm-0", "mpath-3600", "mpatha", "");
    }

    /** Adds a mount of a device to the table. */
    MountEntry mount(String block) {
        Path place = Path.of("/mnt", block);
        mounts.existing(place);
        mounts.mount(Filesystem.of("ext4", "/dev/" + block, List.of()), place, TestWork.patient());
        return mounts.at(place, TestWork.patient()).orElseThrow();
    }

    /** Ends what still logs in, or waits to do so. */
    @Override
    public void close() {
        running.close(threads);
    }
}
