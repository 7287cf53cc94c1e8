package dev.fairlead.adapter.node.nvmeof;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A target of this machine's own kernel (nvmet), over TCP on the loopback interface, with files as its disks. */
final class LocalTarget implements AutoCloseable {
    private static final Path NVMET = Path.of("/sys/kernel/config/nvmet");
    private static final long SIZE = 64L << 20;

    private final String nqn;
    private final Path subsystem;
    private final List<Integer> ports = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();

    LocalTarget(String nqn, int namespaces, int... ports) throws IOException, InterruptedException {
        this.nqn = nqn;
        new ProcessBuilder("modprobe", "nvmet-tcp").start().waitFor();
        if (!Files.exists(NVMET)) {
            new ProcessBuilder("mount", "-t", "configfs", "none", "/sys/kernel/config")
                    .start()
                    .waitFor();
        }
        subsystem = Files.createDirectories(NVMET.resolve("subsystems").resolve(nqn));
        write(subsystem.resolve("attr_allow_any_host"), "1");
        for (int nsid = 1; nsid <= namespaces; nsid++) {
            Path file = Files.createTempFile(Path.of("/var/tmp"), "namespace", ".img");
            try (RandomAccessFile image = new RandomAccessFile(file.toFile(), "rw")) {
                image.setLength(SIZE);
            }
            files.add(file);
            Path namespace = Files.createDirectories(subsystem.resolve("namespaces/" + nsid));
            write(namespace.resolve("device_path"), file.toString());
            write(namespace.resolve("enable"), "1");
        }
        for (int port : ports) {
            show(port);
        }
    }

    Path file(int nsid) {
        return files.get(nsid - 1);
    }

    String nqn() {
        return nqn;
    }

    static String transport(int port) {
        return "tcp://127.0.0.1:" + port;
    }

    /** Shows the subsystem at a port. */
    void show(int port) throws IOException {
        Path folder = NVMET.resolve("ports/" + port);
        if (!Files.exists(folder)) {
            Files.createDirectories(folder);
            write(folder.resolve("addr_trtype"), "tcp");
            write(folder.resolve("addr_adrfam"), "ipv4");
            write(folder.resolve("addr_traddr"), "127.0.0.1");
            write(folder.resolve("addr_trsvcid"), String.valueOf(port));
        }
        Files.createSymbolicLink(folder.resolve("subsystems").resolve(nqn), subsystem);
        ports.add(port);
    }

    /** Takes a port away, whoever is connected by it. */
    void hide(int port) throws IOException {
        Path folder = NVMET.resolve("ports/" + port);
        Files.deleteIfExists(folder.resolve("subsystems").resolve(nqn));
        Files.deleteIfExists(folder);
        ports.remove(Integer.valueOf(port));
    }

    /** Makes a namespace larger. */
    void grow(int nsid, long size) throws IOException {
        try (RandomAccessFile image = new RandomAccessFile(file(nsid).toFile(), "rw")) {
            image.setLength(size);
        }
        write(subsystem.resolve("namespaces/" + nsid + "/revalidate_size"), "1");
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
    }

    @Override
    public void close() throws IOException {
        for (int port : List.copyOf(ports)) {
            hide(port);
        }
        for (int nsid = 1; nsid <= files.size(); nsid++) {
            Files.delete(subsystem.resolve("namespaces/" + nsid));
            Files.delete(file(nsid));
        }
        Files.delete(subsystem);
    }
}
