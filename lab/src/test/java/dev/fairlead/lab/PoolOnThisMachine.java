package dev.fairlead.lab;

import dev.fairlead.lab.walk.ShellServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A storage host of zfs-generic-nfs that is this machine, entered by SSH: its shell is real, and its {@code zfs} is a
 * script whose pool is a folder.
 */
final class PoolOnThisMachine implements AutoCloseable {
    private static final Path WALK =
            Path.of("../lab/walk.d/zfs").toAbsolutePath().normalize();

    private final Path pool;
    private final Path zfs;
    private final ShellServer server;

    PoolOnThisMachine(Path folder) throws IOException {
        pool = Files.createDirectories(folder.resolve("pool"));
        try (InputStream script = Objects.requireNonNull(PoolOnThisMachine.class.getResourceAsStream("copying-zfs"))) {
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            zfs = Files.writeString(folder.resolve("zfs"), text.replace("@ZFS@", WALK.toString()));
        }
        Files.setPosixFilePermissions(zfs, PosixFilePermissions.fromString("rwxr-xr-x"));
        server = new ShellServer(pool);
    }

    /** Returns the file of a connection to it. */
    String connection() {
        return """
                driver: zfs-generic-nfs
                sshConnection:
                  host: 127.0.0.1
                  port: %d
                  username: root
                  password: %s
                  knownHosts: "%s"
                zfs:
                  datasetParentName: tank/v
                  datasetEnableQuotas: true
                  cli: {paths: {zfs: %s}}
                nfs:
                  shareHost: nas
                  shareStrategy: setDatasetProperties
                  shareStrategySetDatasetProperties: {properties: {sharenfs: "on"}}
                """.formatted(server.port(), ShellServer.PASSWORD, server.knownHosts(), zfs);
    }

    /** Returns the last value that was set for a property of a dataset. */
    String value(String dataset, String property) throws IOException {
        Path file = pool.resolve(dataset);
        return Files.readAllLines(file.resolveSibling("." + file.getFileName())).stream()
                .filter(line -> line.startsWith(property + "="))
                .map(line -> line.substring(property.length() + 1))
                .reduce("", (_, last) -> last);
    }

    /** Returns how many copies are under way. */
    int copies() throws IOException {
        Path streams = pool.resolve("streams");
        if (!Files.isDirectory(streams)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(streams)) {
            return Math.toIntExact(all.count());
        }
    }

    /** Returns the commands that it was given. */
    String commands() throws IOException {
        return Files.readString(pool.resolve("commands"));
    }

    /** Has all copies fail, those to come too. */
    void endCopies() throws IOException {
        Files.writeString(pool.resolve("end"), "");
    }

    @Override
    public void close() throws IOException {
        endCopies();
        server.close();
    }
}
