package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.KernelFiles;
import dev.fairlead.adapter.node.block.PortProbe;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.KernelWait;
import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Controller;
import dev.fairlead.adapter.node.nvmeof.TransportTrouble.Kind;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.VolumePath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connects to subsystems and disconnects from them, and believes what sysfs shows of it.
 *
 * <p>The kernel makes one connection at a time on the whole node, and waits some seconds for a server that is gone. So
 * whether a way of TCP answers is asked beforehand, for all ways at once: a dead one keeps no other volume waiting.
 *
 * @param probe asks a way of TCP without TLS
 * @param encrypted asks a way of TCP with TLS, of which only the kernel has the keys
 * @param attempts those that run, and may outlive their calls
 * @param patience how long an attachment waits for its ways
 */
record NvmeofConnections(
        NvmeofSysfs sysfs,
        Fabrics fabrics,
        KernelFiles files,
        PortProbe probe,
        PortProbe encrypted,
        Identity identity,
        ThreadFactory threads,
        ConnectAttempts attempts,
        Duration patience) {
    /** Tells who this node is to subsystems. */
    @FunctionalInterface
    interface Identity {
        NvmeofHost host(Work work);
    }

    /**
     * Connects by every way by which there is no connection yet, by all of them at once. An attempt that an earlier
     * call began is joined, and waited for only if no other way is up: one that hangs costs its time once.
     *
     * @return why there is none by some of them
     */
    List<TransportTrouble> connect(NvmeofRequest request, ConnectAttempts.Owner owner, Work work) {
        long now = System.nanoTime();
        long end = now + Math.max(Math.min(patience.toNanos(), work.left().toNanos()), 1);
        List<Controller> before = controllers(request.nqn(), work);
        boolean up = before.stream().anyMatch(Controller::isLive);
        Map<NvmeofTransport, ConnectAttempts.Attempt> tries = new LinkedHashMap<>();
        List<TransportTrouble> troubles = new ArrayList<>();
        try {
            for (NvmeofTransport transport : request.transports()) {
                if (before.stream().noneMatch(it -> transport.isOf(it, List.of()))) {
                    tries.put(transport, join(request.nqn(), transport, true, owner, work));
                }
            }
            tries.forEach((transport, attempt) -> {
                boolean joined = attempt.isOlderThan(now);
                trouble(request.nqn(), transport, attempt, joined && up ? now : end, work)
                        .ifPresent(troubles::add);
            });
        } finally {
            tries.values().forEach(ConnectAttempts.Attempt::leave);
        }
        return troubles;
    }

    private Optional<TransportTrouble> trouble(
            String nqn, NvmeofTransport transport, ConnectAttempts.Attempt attempt, long end, Work work) {
        try {
            return attempt.await(end, work);
        } catch (TimeoutException _) {
            String before = fabrics.atWork()
                    .filter(it -> !it.endsWith(nqn + " by " + transport))
                    .orElse("at it");
            return Optional.of(new TransportTrouble(
                    transport,
                    Kind.SILENT,
                    "no connection within " + attempt.age().toSeconds()
                            + " s; the kernel, which makes one at a time, is still " + before));
        }
    }

    /**
     * Begins to connect by those ways by which there is no connection and no attempt runs, and waits for none.
     *
     * @return the ways that are not connected yet
     */
    List<NvmeofTransport> connectLater(NvmeofRequest request, ConnectAttempts.Owner owner, Work work) {
        List<NvmeofTransport> connected = connected(request.nqn(), request.transports(), work);
        List<NvmeofTransport> left = request.transports().stream()
                .filter(it -> !connected.contains(it))
                .toList();
        for (NvmeofTransport transport : left) {
            var _ = join(request.nqn(), transport, false, owner, work);
        }
        return left;
    }

    private ConnectAttempts.Attempt join(
            String nqn, NvmeofTransport transport, boolean awaited, ConnectAttempts.Owner owner, Work work) {
        return attempts.join(nqn, transport, awaited, owner, work, lasting -> tried(nqn, transport, lasting));
    }

    NvmeofReads reads() {
        return new NvmeofReads(sysfs, files.threads());
    }

    /** Returns the node's connections to a subsystem. */
    List<Controller> controllers(String nqn, Work work) {
        return reads().of(nqn, work, it -> it.controllers(nqn));
    }

    /** Returns the ways to a namespace. */
    List<VolumePath> paths(Attachment.Nvmeof volume, Work work) {
        return new NvmeofPaths(reads()).of(volume, work);
    }

    /** Returns the connections that are up without TLS although the volume asks for it. */
    List<Controller> unencrypted(NvmeofRequest request, Work work) {
        return new NvmeofPaths(reads()).unencrypted(request, work);
    }

    private <T> FutureTask<T> started(Callable<T> action) {
        FutureTask<T> task = new FutureTask<>(action);
        threads.newThread(task).start();
        return task;
    }

    private static <T> T ended(FutureTask<T> task, long end, Work work) throws TimeoutException {
        try {
            return task.get(Math.max(end - System.nanoTime(), 1), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(work.what()));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StorageException failed) {
                throw failed;
            }
            throw new IllegalStateException("a connection failed in an unknown way", e);
        }
    }

    private Optional<TransportTrouble> tried(String nqn, NvmeofTransport transport, Work work) {
        try {
            List<InetAddress> addresses = transport.service().isEmpty()
                    ? List.of()
                    : Arrays.asList(InetAddress.getAllByName(transport.host()));
            if (isConnected(nqn, transport, addresses)) {
                work.checkCancelled(); // or it would pass for one that this attempt has made
                return Optional.empty();
            }
            String address = transport.host();
            if (!addresses.isEmpty()) {
                InetAddress answering = answering(transport, addresses);
                address = transport.isAddress() ? address : answering.getHostAddress();
            }
            refuseIfUnknown(transport, work);
            fabrics.connect(nqn + " by " + transport, options(nqn, transport, address, work), work);
            return isConnected(nqn, transport, addresses)
                    ? Optional.empty()
                    : Optional.of(new TransportTrouble(
                            transport,
                            Kind.NODE,
                            "the kernel has connected, and shows no controller in " + sysfs.root()));
        } catch (UnknownHostException _) {
            return Optional.of(new TransportTrouble(transport, Kind.SILENT, "the host's name is unknown"));
        } catch (SilenceException e) {
            return Optional.of(new TransportTrouble(transport, Kind.SILENT, String.valueOf(e.getMessage())));
        } catch (IOException e) {
            return TransportTrouble.of(transport, e);
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.Cancelled) {
                throw e;
            }
            return Optional.of(
                    new TransportTrouble(transport, Kind.SILENT, e.failure().message()));
        }
    }

    /** Returns those of these ways by which there is a controller. */
    List<NvmeofTransport> connected(String nqn, List<NvmeofTransport> ways, Work work) {
        return reads().of(nqn, work, sysfs -> connected(sysfs, nqn, ways));
    }

    private static List<NvmeofTransport> connected(NvmeofSysfs sysfs, String nqn, List<NvmeofTransport> ways) {
        List<Controller> controllers = sysfs.controllers(nqn);
        return ways.stream()
                .filter(way -> controllers.stream().anyMatch(it -> way.isOf(it, addresses(way))))
                .toList();
    }

    private static List<InetAddress> addresses(NvmeofTransport way) {
        try {
            return way.isAddress() ? List.of() : Arrays.asList(InetAddress.getAllByName(way.host()));
        } catch (UnknownHostException _) {
            return List.of();
        }
    }

    /** Returns whether there is a controller; asked on the attempt's own thread, which may be left behind by itself. */
    private boolean isConnected(String nqn, NvmeofTransport transport, List<InetAddress> addresses) {
        return sysfs.controllers(nqn).stream().anyMatch(it -> transport.isOf(it, addresses));
    }

    /** Returns the first address that answers; the first of all if that cannot be asked by a socket. */
    private InetAddress answering(NvmeofTransport transport, List<InetAddress> addresses) throws SilenceException {
        if (!transport.isTcp() || transport.isBound()) {
            return addresses.getFirst();
        }
        String why = "";
        for (InetAddress address : addresses) {
            try {
                (transport.isTls() ? encrypted : probe).ask(address, Integer.parseInt(transport.service()));
                return address;
            } catch (IOException e) {
                why = String.valueOf(e.getMessage());
            }
        }
        throw new SilenceException("it does not answer (" + why + ")");
    }

    /**
     * Refuses options with keys that the kernel does not know: it would write the whole option, with the key, into its
     * log.
     */
    private void refuseIfUnknown(NvmeofTransport transport, Work work) throws IOException {
        Set<String> keys = transport.options().secrets().keySet();
        if (keys.isEmpty()) {
            return;
        }
        boolean known;
        try {
            known = fabrics.options(work).containsAll(keys);
        } catch (IOException _) {
            known = false; // kernels that do not tell have no authentication
        }
        if (!known) {
            throw new IOException(
                    "this node's kernel cannot authenticate itself to NVMe subsystems (CONFIG_NVME_HOST_AUTH)");
        }
    }

    private Secret options(String nqn, NvmeofTransport transport, String address, Work work) {
        NvmeofOptions options = transport.options();
        NvmeofHost host = options.value(NvmeofOptions.HOST_NQN)
                .map(it ->
                        NvmeofHost.of(it, options.value(NvmeofOptions.HOST_ID).orElse("")))
                .orElseGet(() -> identity.host(work));
        StringBuilder text = new StringBuilder("transport=" + transport.type() + ",traddr=" + address);
        if (!transport.service().isEmpty()) {
            text.append(",trsvcid=").append(transport.service());
        }
        text.append(",nqn=").append(nqn).append(',').append(options.text());
        if (options.value(NvmeofOptions.HOST_NQN).isEmpty()) {
            text.append(",hostnqn=").append(host.nqn());
        }
        if (options.value(NvmeofOptions.HOST_ID).isEmpty()) {
            text.append(",hostid=").append(host.id());
        }
        return new Secret(text.toString());
    }

    /** Lets the kernel look anew at the namespaces of a subsystem, over every connection that is up. */
    void rescan(String nqn, Work work) {
        controllers(nqn, work).stream()
                .filter(Controller::isLive)
                .forEach(it -> files.write("nvme-rescan", it.folder().resolve("rescan_controller"), nqn, "1", work));
    }

    /** Ends all connections to a subsystem, at once, and sees that they are gone; does nothing if there is none. */
    void disconnect(String nqn, Work work) {
        List<FutureTask<Boolean>> deletions = controllers(nqn, work).stream()
                .map(it -> started(() -> {
                    // the kernel takes it only once it has made the connection, or given up the first attempt
                    Path deletion = it.folder().resolve("delete_controller");
                    files.writeOnceFree("nvme-disconnect", deletion, nqn, "1", new KernelWait(patience), work);
                    return true;
                }))
                .toList();
        long end = System.nanoTime() + patience.toNanos();
        for (FutureTask<Boolean> deletion : deletions) {
            try {
                var _ = ended(deletion, end, work);
            } catch (TimeoutException _) {
                throw KernelThreads.fault("disconnecting from " + nqn, "the kernel has not done it within " + patience);
            }
        }
        List<Controller> left = controllers(nqn, work);
        if (!left.isEmpty()) {
            throw KernelThreads.fault(
                    "disconnecting from " + nqn,
                    "the kernel still has "
                            + left.stream().map(Controller::name).toList());
        }
    }

    /** Says that nothing answers at an address. */
    private static final class SilenceException extends Exception {
        private static final long serialVersionUID = 1L;

        SilenceException(String message) {
            super(message);
        }
    }
}
