package dev.fairlead.application.service;

import dev.fairlead.application.port.in.ListVolumes;
import dev.fairlead.application.port.in.Listing;
import dev.fairlead.application.port.in.VolumeView;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Optional;

/** Lists the volumes of all connections. */
record ListVolumesService(Connections connections, VolumeViews views)
        implements ListVolumes, Paging.Shelf<StoredVolume, VolumeView> {
    @Override
    public Listing<VolumeView> list(Optional<String> token, int max, Work work) {
        return new Paging<>(connections, this).list(connections.names(), token, max, work);
    }

    @Override
    public Page<StoredVolume> page(Backend backend, PageRequest request, Work work) {
        return backend.store().list(request, work);
    }

    @Override
    public String id(StoredVolume volume) {
        return volume.id().value();
    }

    @Override
    public VolumeView view(Backend backend, StoredVolume volume, Work work) {
        return views.of(backend, volume, work);
    }

    @Override
    public int bytes(VolumeView view) {
        return MessageBytes.of(view);
    }
}
