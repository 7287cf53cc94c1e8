package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says why there is no connection by one way. */
record TransportTrouble(NvmeofTransport transport, Kind kind, String detail) {
    /** Says whose fault it is, so far as can be told. */
    enum Kind {
        SILENT,
        REFUSED,
        NODE
    }

    /** Reads why the kernel did not connect; empty if it is connected by this way, or by one that it takes for it. */
    static Optional<TransportTrouble> of(NvmeofTransport transport, IOException e) {
        String detail = String.valueOf(e.getMessage());
        if (!(e instanceof LinuxException failed)) {
            return Optional.of(new TransportTrouble(transport, Kind.NODE, detail));
        }
        return failed.errno() == Errno.EALREADY ? Optional.empty() : Optional.of(of(transport, failed.errno(), detail));
    }

    private static TransportTrouble of(NvmeofTransport transport, int errno, String detail) {
        return switch (errno) {
            case Errno.ENOENT, Errno.ENXIO, Errno.EPERM ->
                new TransportTrouble(
                        transport,
                        Kind.NODE,
                        detail + "; load the module nvme-" + transport.type()
                                + " on the node, and let this process see /dev/nvme-fabrics");
            case Errno.EINVAL ->
                new TransportTrouble(
                        transport,
                        Kind.NODE,
                        detail + "; the node's kernel does not take one of the options "
                                + transport.options().names() + ", or has no module nvme-" + transport.type());
            case Errno.ECONNREFUSED, Errno.ETIMEDOUT, Errno.EHOSTUNREACH ->
                new TransportTrouble(transport, Kind.SILENT, detail);
            default -> new TransportTrouble(transport, Kind.REFUSED, detail);
        };
    }

    @Override
    public String toString() {
        return transport + ": " + detail;
    }

    /** Returns the failure of an attachment that has no way to its subsystem. */
    static StorageException failure(String handle, NvmeofRequest request, List<TransportTrouble> troubles) {
        String detail = "there is no connection to " + request.nqn() + ": "
                + (troubles.isEmpty()
                        ? "those that there were are lost, and the kernel tries them again"
                        : troubles.stream().map(TransportTrouble::toString).collect(Collectors.joining("; ")));
        String what = "of volume " + handle;
        if (has(troubles, Kind.NODE)) {
            return KernelThreads.fault("connecting to NVMe subsystems", detail);
        }
        return new StorageException(
                has(troubles, Kind.REFUSED)
                        ? new Failure.BackendRejected(
                                what,
                                detail + "; the target answered and did not admit this node: look whether it has the"
                                        + " subsystem, admits this node's host NQN to it, and wants a key (dhchap_secret"
                                        + " in the stage secret); the node's kernel log says which")
                        : new Failure.BackendUnavailable(what, detail));
    }

    private static boolean has(List<TransportTrouble> troubles, Kind kind) {
        return troubles.stream().anyMatch(it -> it.kind == kind);
    }
}
