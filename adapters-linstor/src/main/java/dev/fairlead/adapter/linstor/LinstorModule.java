package dev.fairlead.adapter.linstor;

import dev.fairlead.adapter.linstor.client.Controllers;
import dev.fairlead.adapter.linstor.source.LinstorPlacementSource;
import dev.fairlead.application.port.out.placement.PlacementSource;
import java.util.concurrent.ThreadFactory;

/** Offers LINSTOR as a source of placements. */
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
}
