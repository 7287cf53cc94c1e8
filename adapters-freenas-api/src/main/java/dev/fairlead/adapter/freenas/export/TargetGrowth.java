package dev.fairlead.adapter.freenas.export;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells the targets of a box that a volume has grown. The box does so by itself if its API has grown the volume; if
 * {@code zfs} has, a target shows the former size until it is told by the files of its kernel module, which are those
 * that the box's own software writes.
 *
 * @param host the way to the box, which the volumes' store uses too
 * @param asRoot who may write those files
 * @param system the folder of the kernel's files: {@code /sys}
 */
public record TargetGrowth(String connection, SharedClient<StorageHost> host, Elevation asRoot, String system)
        implements AutoCloseable {
    /** The script's words are the file of SCST and that of LIO; a CORE has neither, and its own software reads anew. */
    private static final String ISCSI = """
            if [ -e "$1" ]; then printf '1\\n' >"$1"
            elif [ -e "$2" ]; then printf 'rescan\\n' >"$2"
            elif [ ! -e /proc/version ]; then midclt call service.reload iscsitarget >/dev/null
            fi""";

    private static final String NVME = """
            if [ -e "$1" ]; then printf '1\\n' >"$1"; fi""";

    /** Opens the way to the box by {@code sshConnection}. */
    public static TargetGrowth open(StorageHosts hosts, ConnectionScope scope, ConfigNode file) {
        SharedClient<StorageHost> host = hosts.open(scope, file);
        boolean root = host.get().local()
                || file.child("sshConnection").string("username", "").equals("root");
        return new TargetGrowth(
                scope.name().value(), host, root ? Elevation.NONE : host.get().sudo(), "/sys");
    }

    /** Makes the target of an extent read its size anew; does nothing if nothing shows the extent. */
    public void iscsi(String extent, Work work) {
        String scst =
                system + "/kernel/scst_tgt/devices/" + extent.replace('.', '_').replace('/', '-') + "/resync_size";
        String lio = system + "/kernel/config/target/core/iblock_0/" + extent.replace('/', '-') + "/control";
        run(ISCSI, extent, List.of(scst, lio), work);
    }

    /** Makes a subsystem read the size of a namespace anew; does nothing if nothing shows it. */
    public void nvmeof(String nqn, int nsid, Work work) {
        String folder = system + "/kernel/config/nvmet/subsystems/" + nqn + "/namespaces/" + nsid;
        run(NVME, nqn, List.of(folder + "/revalidate_size"), work);
    }

    private void run(String script, String target, List<String> words, Work work) {
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", script, "sh"));
        argv.addAll(words);
        CommandRunner.Ended ended =
                host.get().runner().run(Command.of(new Effect("resize target", target), asRoot.of(argv)), work);
        if (!ended.succeeded()) {
            throw new StorageException(new Failure.BackendUnavailable(
                    connection,
                    asRoot.refusal(ended)
                            .orElseGet(() -> "the target of " + target + " was not told that its volume has grown: "
                                    + ended.trouble())));
        }
    }

    @Override
    public void close() {
        host.close();
    }
}
