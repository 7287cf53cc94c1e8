package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.pool.hostpath.HostpathSettings;
import dev.fairlead.adapter.local.pool.kind.PoolKind;
import dev.fairlead.adapter.local.pool.room.Reserve;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Holds what a connection's file says of one pool.
 *
 * @param kind what is written; empty if it is to be found
 * @param overcommit how many bytes are promised for each byte that there is
 * @param sharesSystem whether it may lie on the operating system's file system
 * @param shared whether several nodes have it mounted
 * @param everywhere whether its volumes are reachable from all nodes; else from where the connection is
 * @param byDisk whether its volumes are where its disk is, whatever the node is called
 * @param hostpath says that volumes of kubevirt's hostpath-provisioner in it are served; empty if they are not
 */
record PoolSettings(
        String name,
        Path path,
        Optional<PoolKind> kind,
        Reserve reserve,
        double overcommit,
        boolean sharesSystem,
        boolean shared,
        boolean everywhere,
        boolean byDisk,
        Optional<HostpathSettings> hostpath) {}
