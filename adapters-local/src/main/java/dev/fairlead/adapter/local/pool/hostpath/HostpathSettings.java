package dev.fairlead.adapter.local.pool.hostpath;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Says that a pool's volumes of kubevirt's hostpath-provisioner are served.
 *
 * @param snapshots the folder in which that program has kept its snapshots ({@code snapshotPath}); empty if it took
 *     none
 */
public record HostpathSettings(Optional<Path> snapshots) {}
