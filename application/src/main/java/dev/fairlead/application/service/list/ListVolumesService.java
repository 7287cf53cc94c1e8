package dev.fairlead.application.service.list;

import dev.fairlead.application.port.in.list.ListVolumes;
import dev.fairlead.application.port.in.list.Listing;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.plan.VolumeViews;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the volumes of all connections.
 *
 * <p>A volume that no node could reach stays in the list, since callers take a volume that a list lacks for deleted; it
 * does not fail the list either, and a warning tells how many there are.
 */
public record ListVolumesService(Connections connections, VolumeViews views)
        implements ListVolumes, Paging.ConnectionList<StoredVolume, VolumeView> {
    private static final Logger log = LoggerFactory.getLogger(ListVolumesService.class);

    @Override
    public Listing<VolumeView> list(Optional<String> token, int max, Work work) {
        Listing<VolumeView> listing = new Paging<>(connections, this).list(connections.names(), token, max, work);
        List<VolumeView> unreachable =
                listing.items().stream().filter(view -> view.lack().isPresent()).toList();
        if (!unreachable.isEmpty()) {
            VolumeView first = unreachable.getFirst();
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .log(
                            "{} of the volumes listed could be reached by no node, the first of them {}: {}",
                            unreachable.size(),
                            first.handle(),
                            first.lack().orElse(""));
        }
        return listing;
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
