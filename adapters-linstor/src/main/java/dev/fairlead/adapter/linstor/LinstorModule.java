package dev.fairlead.adapter.linstor;

import dev.fairlead.adapter.linstor.client.Controllers;
import dev.fairlead.adapter.linstor.source.LinstorPlacementSource;
import dev.fairlead.adapter.linstor.takeover.LinstorSavedVolumes;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.application.port.out.placement.SavedVolumes;
import java.util.concurrent.ThreadFactory;

/** Offers LINSTOR as a source of placements, and what its affinity controller has left there. */
public final class LinstorModule {
    /** The name of LINSTOR's CSI driver. */
    public static final String DRIVER = LinstorPlacementSource.DRIVER;

    private LinstorModule() {}

    /**
     * Opens the source; nobody is asked yet.
     *
     * @param threads makes the two threads that listen to events; they have to be virtual, so that an interrupt ends a
     *     read
     */
    public static PlacementSource open(LinstorSettings settings, ThreadFactory threads) {
        return new LinstorPlacementSource(
                new Controllers(settings.controllers(), settings::http),
                settings.namespace(),
                settings.anywhereIsAllNodes(),
                threads);
    }

    /** Opens what LINSTOR's affinity controller has kept of PersistentVolumes; nobody is asked yet. */
    public static SavedVolumes saved(LinstorSettings settings) {
        return new LinstorSavedVolumes(new Controllers(settings.controllers(), settings::http));
    }
}
