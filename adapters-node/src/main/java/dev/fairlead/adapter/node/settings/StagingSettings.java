package dev.fairlead.adapter.node.settings;

import java.nio.file.Path;

/**
 * Tells where kubelet has volumes staged.
 *
 * @param kubelet kubelet's folder, at the path that it has in this process's mount table
 */
public record StagingSettings(Path kubelet) {}
