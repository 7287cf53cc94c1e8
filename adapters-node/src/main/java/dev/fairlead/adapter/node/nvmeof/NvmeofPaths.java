package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.SysfsFiles;
import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Controller;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.health.VolumePath;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Tells the ways to a namespace: each controller of its subsystem, and each transport of the volume that has none. */
record NvmeofPaths(NvmeofReads reads) {
    /** A namespace as one controller has it: {@code nvme0c1n1} with native multipath, {@code nvme1n1} without. */
    private static final String OWN = "nvme[0-9]+(c[0-9]+)?n[0-9]+";

    /** The states of ANA in which a controller takes no command for the namespace. */
    private static final Set<String> CLOSED = Set.of("inaccessible", "persistent-loss", "change");

    List<VolumePath> of(Attachment.Nvmeof volume, Work work) {
        return reads.of(volume.nqn(), work, sysfs -> read(sysfs, volume));
    }

    /**
     * Returns the connections that are up without TLS although the volume asks for it: those of its ways, and all that
     * it does not name, since with native multipath any of them may be used.
     */
    List<Controller> unencrypted(NvmeofRequest request, Work work) {
        if (request.transports().stream().noneMatch(NvmeofTransport::isTls)) {
            return List.of();
        }
        List<NvmeofTransport> plain =
                request.transports().stream().filter(it -> !it.isTls()).toList();
        return reads.of(
                request.nqn(),
                work,
                sysfs -> sysfs.controllers(request.nqn()).stream()
                        .filter(it -> it.isLive() && !it.hasTls())
                        .filter(it -> !it.transport().equals("loop"))
                        .filter(it -> plain.stream().noneMatch(way -> isOf(way, it)))
                        .toList());
    }

    private static List<VolumePath> read(NvmeofSysfs sysfs, Attachment.Nvmeof volume) {
        List<Controller> controllers = sysfs.controllers(volume.nqn());
        boolean shown = !sysfs.namespaces(volume.nqn(), volume.nsid()).isEmpty();
        List<VolumePath> paths = new ArrayList<>();
        for (Controller controller : controllers) {
            paths.add(path(controller, volume.nsid(), shown));
        }
        boolean named = !volume.transport().isBlank() || !volume.transports().isEmpty();
        for (NvmeofTransport transport : named ? NvmeofTransport.of(volume) : List.<NvmeofTransport>of()) {
            if (controllers.stream().noneMatch(it -> isOf(transport, it))) {
                paths.add(new VolumePath(transport.toString(), "no controller", false));
            }
        }
        return paths;
    }

    private static VolumePath path(Controller controller, int nsid, boolean shown) {
        String name = NvmeofTransport.uri(controller);
        if (!controller.isLive()) {
            return new VolumePath(name, controller.name() + " " + controller.state(), false);
        }
        if (!shown) {
            return new VolumePath(name, controller.name() + " shows no namespace " + nsid, false);
        }
        String access = SysfsFiles.children(controller.folder(), it -> it.matches(OWN)).stream()
                .filter(it -> SysfsFiles.text(it.resolve("nsid")).equals(Integer.toString(nsid)))
                .map(it -> SysfsFiles.text(it.resolve("ana_state")))
                .findFirst()
                .orElse("");
        return CLOSED.contains(access)
                ? new VolumePath(name, controller.name() + " live, ANA " + access, false)
                : new VolumePath(name, controller.name() + " live", true);
    }

    private static boolean isOf(NvmeofTransport transport, Controller controller) {
        if (transport.isOf(controller, List.of())) {
            return true;
        }
        try {
            return !transport.service().isEmpty()
                    && transport.isOf(controller, List.of(InetAddress.getAllByName(transport.host())));
        } catch (UnknownHostException _) {
            return false; // there is no connection by a name that is unknown
        }
    }
}
