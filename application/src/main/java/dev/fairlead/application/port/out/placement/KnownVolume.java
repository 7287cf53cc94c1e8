package dev.fairlead.application.port.out.placement;

import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.VolumeUse;

/** A PersistentVolume of the orchestrator, as it is now. */
public record KnownVolume(PlacedVolume placed, String uid, NodeAffinity affinity, VolumeUse use) {}
