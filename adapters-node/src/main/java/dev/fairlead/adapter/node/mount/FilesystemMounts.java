package dev.fairlead.adapter.node.mount;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.MountTable;
import dev.fairlead.adapter.node.share.LustreLocation;
import dev.fairlead.adapter.node.share.SmbLocation;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.mount.SelinuxContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mounts file systems by the program {@code mount}, which knows the helpers of network file systems. What the mount
 * table shows counts, and not its exit code.
 *
 * <p>For a share it is killed if it takes too long. For a device it is not: the kernel may replay a log for longer than
 * any caller waits, no signal ends that, and the mount may come whatever is told. It goes on until it ends, and whoever
 * asks for the device or the path meanwhile is told so.
 */
final class FilesystemMounts {
    private static final Logger log = LoggerFactory.getLogger(FilesystemMounts.class);
    private static final int NOT_FOUND = 127;
    private static final Pattern SECRET =
            Pattern.compile("((?:pass(?:word)?2?|cred(?:entials)?|secret|key)=)[^,\\s]*", Pattern.CASE_INSENSITIVE);
    private static final int MOST_WORDS = 500;
    private static final String NTFS = "ntfs";

    /** Types that the kernel shows under another name than the one by which they are mounted. */
    private static final List<Set<String>> SAME_TYPES = List.of(
            Set.of("nfs", "nfs4"),
            Set.of("cifs", "smb3"),
            Set.of("ext2", "ext3", "ext4"),
            Set.of(NTFS, "ntfs3", "fuseblk"));

    private static final Path KERNEL_TYPES = Path.of("/proc/filesystems");

    /** The time in which a program ends that is killed. */
    private static final Duration KILLING = Duration.ofSeconds(2);

    private final KernelThreads threads;
    private final MountView view;
    private final CommandRunner programs;
    private final Duration patience;
    private final KernelTypes kernel;
    private final Map<Path, OwnMount> made = new ConcurrentHashMap<>();
    private final MountFailures failures;

    /** @param patience how long the program may take for a share */
    FilesystemMounts(KernelThreads threads, MountView view, CommandRunner programs, Duration patience) {
        this(threads, view, programs, patience, FilesystemMounts::kernelTypes, InstantSource.system());
    }

    FilesystemMounts(
            KernelThreads threads,
            MountView view,
            CommandRunner programs,
            Duration patience,
            KernelTypes kernel,
            InstantSource clock) {
        this.failures = new MountFailures(clock);
        this.kernel = kernel;
        this.threads = threads;
        this.view = view;
        this.programs = programs;
        this.patience = patience;
    }

    void mount(Filesystem filesystem, Path target, Work work) {
        String what = "mounting " + filesystem.source() + " at " + target;
        Duration bound = limit(filesystem).plus(KILLING);
        threads.lasting(what, paths(filesystem, target), filesystem.server(), bound, work, wanting -> {
            Optional<MountEntry> present = view.at(target);
            if (present.isPresent()) {
                failures.forget(target);
                verify(filesystem, present.get(), target);
            } else {
                failures.orElse(filesystem, target, wanting, () -> mountNow(filesystem, target, wanting));
            }
            return true;
        });
    }

    private void mountNow(Filesystem filesystem, Path target, Work work) throws IOException {
        Ended ended = run(filesystem, target, work);
        Optional<MountEntry> mounted = view.at(target);
        if (mounted.isEmpty()) {
            throw refused(filesystem, target, ended);
        }
        verify(filesystem, mounted.get(), target);
        if (filesystem.input().isEmpty()) {
            made.put(target, new OwnMount(mounted.get().id(), filesystem, false));
        } else {
            made.remove(target);
        }
    }

    private static boolean isOfDevice(Filesystem filesystem) {
        return filesystem.source().startsWith("/dev/");
    }

    private Duration limit(Filesystem filesystem) {
        return isOfDevice(filesystem) ? KernelThreads.LONGEST : patience;
    }

    /** Returns what nobody else may touch meanwhile; a device by its own node, whatever leads to it. */
    private static List<Path> paths(Filesystem filesystem, Path target) {
        if (!isOfDevice(filesystem)) {
            return List.of(target);
        }
        Path device = Path.of(filesystem.source());
        try {
            return List.of(device.toRealPath(), target);
        } catch (IOException _) {
            return List.of(device, target); // it is missing, which the program will tell
        }
    }

    /** Runs the program; NTFS is mounted by the driver that writes, as democratic-csi does, if the kernel has it. */
    private Ended run(Filesystem filesystem, Path target, Work work) throws IOException {
        if (!filesystem.type().equals(NTFS)) {
            return programs.run(command(filesystem.type(), filesystem, target), work);
        }
        Ended ended = programs.run(command("ntfs3", filesystem, target), work);
        // the first try lets the kernel load the driver, so only now it is known whether there is one
        return ended.succeeded() || kernel.types().contains("ntfs3")
                ? ended
                : programs.run(command(NTFS, filesystem, target), work);
    }

    private static Set<String> kernelTypes() throws IOException {
        return Files.readAllLines(KERNEL_TYPES).stream()
                .map(line -> line.substring(line.indexOf('\t') + 1))
                .collect(Collectors.toSet());
    }

    /** Tells which types of file systems the kernel has. */
    @FunctionalInterface
    interface KernelTypes {
        Set<String> types() throws IOException;
    }

    /**
     * Returns how this process mounted what is found at the target; of nothing there, what it mounted before and took
     * away itself. What somebody else unmounted may be anybody's by now.
     */
    Optional<Filesystem> mounted(Path target, Optional<MountEntry> found) {
        return Optional.ofNullable(made.get(target))
                .filter(it -> found.map(it::is).orElse(it.takenAway()))
                .map(OwnMount::filesystem);
    }

    /** Keeps how the target was mounted beyond the end of its mount, if this process mounted what is found there. */
    void takenAway(Path target, Optional<MountEntry> found) {
        made.computeIfPresent(
                target,
                (_, it) ->
                        new OwnMount(it.id(), it.filesystem(), found.map(it::is).orElse(it.takenAway())));
    }

    void forget(Path target) {
        made.remove(target);
        failures.forget(target);
    }

    /**
     * Holds a file system that this process mounted, and the number of its mount.
     *
     * @param takenAway whether this process unmounts it, or has, so that it can be mounted anew
     */
    private record OwnMount(int id, Filesystem filesystem, boolean takenAway) {
        boolean is(MountEntry found) {
            return found.id() == id;
        }
    }

    private Command command(String type, Filesystem filesystem, Path target) {
        List<String> argv = new ArrayList<>(List.of("mount", "-t", type));
        if (!filesystem.options().isEmpty()) {
            argv.addAll(List.of("-o", String.join(",", filesystem.options())));
        }
        argv.addAll(List.of("--", filesystem.source(), target.toString()));
        Command command =
                Command.of(new Effect("mount", target.toString()), argv).within(limit(filesystem));
        return filesystem
                .input()
                .map(secret -> command.reading(new Command.Input.Text(secret)))
                .orElse(command);
    }

    private static StorageException refused(Filesystem filesystem, Path target, Ended ended) {
        String said = SECRET.matcher(ended.trouble()).replaceAll("$1***").replaceAll("\\s+", " ");
        if (ended.exitCode() == NOT_FOUND) {
            return KernelThreads.fault(
                    "mounting at " + target,
                    "there is no program mount, or its helper for " + filesystem.type() + ", in this container: "
                            + said);
        }
        String detail = ended.succeeded()
                ? "mount reported success, and the mount table does not show it"
                : said.substring(0, Math.min(said.length(), MOST_WORDS));
        return new StorageException(new Failure.MountFailed(filesystem.source(), target.toString(), detail));
    }

    private static void verify(Filesystem wanted, MountEntry found, Path target) throws IOException {
        verify(wanted, found, shown(wanted, found), target);
    }

    /** Returns what the kernel shows of a context that is asked for; what tells of single mounts leaves it out. */
    private static List<String> shown(Filesystem wanted, MountEntry found) throws IOException {
        if (SelinuxContext.of(wanted.options()).isEmpty()) {
            return found.superOptions();
        }
        return MountTable.ofDevice(found.device()).stream()
                .filter(it -> it.id() == found.id())
                .findFirst()
                .map(MountEntry::superOptions)
                .orElse(found.superOptions());
    }

    /** @param shown the options of the found file system, with its context if it has one */
    static void verify(Filesystem wanted, MountEntry found, List<String> shown, Path target) throws IOException {
        if (!isSameType(wanted.type(), found.fsType()) || !isSameSource(wanted.source(), found)) {
            throw LinuxMounter.conflict(
                    target,
                    "it shows " + found.source() + " (" + found.fsType() + "), not " + wanted.source() + " ("
                            + wanted.type() + ")");
        }
        if (wanted.options().contains("ro")
                && !found.readOnly()
                && !found.superOptions().contains("ro")) {
            throw LinuxMounter.conflict(target, "it is mounted for writing, asked for is reading only");
        }
        // only told: the policy of a node may have another name for the same type, and its mount(8) may know of no
        // SELinux
        SelinuxContext.difference(wanted.options(), shown)
                .ifPresent(difference -> log.atWarn()
                        .addKeyValue("path", target)
                        .addKeyValue("difference", difference)
                        .log("a mount has another SELinux context than was asked for; pods may not be let in"));
    }

    private static boolean isSameType(String wanted, String found) {
        return wanted.equals(found)
                || SAME_TYPES.stream().anyMatch(types -> types.contains(wanted) && types.contains(found));
    }

    private static boolean isSameSource(String wanted, MountEntry mount) throws IOException {
        String found = mount.source();
        if (SmbLocation.isSmb(mount)) {
            return SmbLocation.of(wanted).filter(it -> it.isShownBy(mount)).isPresent();
        }
        if (LustreLocation.isLustre(mount)) {
            return LustreLocation.of(wanted).filter(it -> it.isShownBy(mount)).isPresent();
        }
        if (withoutSlash(wanted).equals(withoutSlash(found))) {
            return true;
        }
        return wanted.startsWith("/dev/")
                && found.startsWith("/dev/")
                && Path.of(wanted).toRealPath().equals(Path.of(found).toRealPath());
    }

    private static String withoutSlash(String source) {
        return source.length() > 1 && source.endsWith("/") ? source.substring(0, source.length() - 1) : source;
    }
}
