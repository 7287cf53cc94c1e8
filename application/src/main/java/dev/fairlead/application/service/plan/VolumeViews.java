package dev.fairlead.application.service.plan;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.SnapshotHandle;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologyChoice;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes the views of volumes that callers see, above all their {@code volume_context}. */
public record VolumeViews(HandleCodec codec) {
    private static final String PROVISIONER_DRIVER = "provisioner_driver";
    private static final String PROVISIONER_INSTANCE = "provisioner_driver_instance_id";
    private static final String CONTENT = "fairlead.dev/content";
    private static final String SIZE = "fairlead.dev/size";

    public String handle(Backend backend, StoredVolume volume) {
        return codec.encode(new VolumeHandle(backend.name(), volume.id()));
    }

    public VolumeView of(Backend backend, StoredVolume volume, Work work) {
        return of(backend, volume, source(backend.name(), volume.content()), work);
    }

    private VolumeView of(Backend backend, StoredVolume volume, Source source, Work work) {
        return new VolumeView(
                handle(backend, volume),
                volume.capacity().orElse(Capacity.ZERO),
                context(backend, volume, work),
                source,
                TopologyChoice.reported(backend.placement(volume)));
    }

    /** Returns the same view if a node could reach the volume, as for a source that the caller has asked for. */
    public VolumeView reachable(Backend backend, StoredVolume volume, Work work) {
        return reachable(backend, volume, source(backend.name(), volume.content()), work);
    }

    /**
     * Returns the view with the source as the caller spells it; throws {@code BackendUnavailable} if no node could
     * reach the volume by its context. Such a volume is unfinished, for which CSI has no state; a repeated call finds
     * it once it is finished.
     */
    public VolumeView reachable(Backend backend, StoredVolume volume, Source asked, Work work) {
        VolumeView view = of(backend, volume, asked, work);
        view.lack().or(() -> unplaced(volume)).ifPresent(missing -> {
            throw new StorageException(new Failure.BackendUnavailable(
                    backend.name().value(),
                    "volume " + view.handle() + " is there, and no node could reach it yet: " + missing
                            + "; a repeated CreateVolume goes on from there"));
        });
        return view;
    }

    /**
     * Says why a volume could be reported as reachable from everywhere, which a caller keeps, while it is not; empty if
     * that cannot be.
     */
    private static Optional<String> unplaced(StoredVolume volume) {
        return volume.ownPlacement().flatMap(own -> switch (own) {
            case Placement.Anywhere() -> Optional.empty();
            case Placement.Unknown() -> Optional.of("its storage does not say now where it is");
            case Placement.Within(var places) ->
                places.isEmpty() ? Optional.of("its storage keeps it nowhere now") : Optional.empty();
        });
    }

    /** Returns the context that a volume gets at its creation and keeps. */
    public static Map<String, String> birthContext(
            Backend backend, NativeId id, Attachment attachment, Content content) {
        Map<String, String> context = peerContext(backend, attachment);
        context.put(
                CONTENT,
                switch (content) {
                    case Content.Empty() -> "empty";
                    case Content.OfSnapshot _ -> "snapshot";
                    case Content.OfVolume _ -> "volume";
                    case Content.Transferred other -> other.kind() == Content.Kind.SNAPSHOT ? "snapshot" : "volume";
                });
        if (backend.store().advisorySize(id)) {
            context.put(SIZE, "advisory");
        }
        return context;
    }

    /**
     * Returns the noted context; for a volume of democratic-csi's without notes of its attachment, computes the entries
     * that democratic-csi computes at every call.
     */
    private static Map<String, String> context(Backend backend, StoredVolume volume, Work work) {
        Map<String, String> noted = Notes.contextOf(volume.notes());
        if (Notes.saysHowToAttach(volume.notes())) {
            return noted;
        }
        return attachment(backend, volume, work)
                .map(attachment -> {
                    Map<String, String> context = peerContext(backend, attachment);
                    context.putAll(noted);
                    return context;
                })
                .orElse(noted);
    }

    /**
     * Returns how a volume is attached; empty if its name or place fits no attachment, as democratic-csi may have made
     * one, so that it does not fail a list.
     */
    private static Optional<Attachment> attachment(Backend backend, StoredVolume volume, Work work) {
        try {
            return backend.exporter().attachment(volume, work);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Map<String, String> peerContext(Backend backend, Attachment attachment) {
        Map<String, String> context = new TreeMap<>(AttachmentCodec.encode(attachment));
        context.putAll(provisionerContext(backend));
        return context;
    }

    /** Returns the context entries about the volume's provisioner, which are known before its attachment. */
    static Map<String, String> provisionerContext(Backend backend) {
        Map<String, String> context = new TreeMap<>(Map.of(PROVISIONER_DRIVER, backend.driverType()));
        backend.settings().instanceId().ifPresent(id -> context.put(PROVISIONER_INSTANCE, id));
        return context;
    }

    private Source source(ConnectionName connection, Content content) {
        return switch (content) {
            case Content.Empty() -> Source.NONE;
            case Content.OfSnapshot(var id) -> new Source.Snapshot(codec.encode(new SnapshotHandle(connection, id)));
            case Content.OfVolume(var id) -> new Source.Volume(codec.encode(new VolumeHandle(connection, id)));
            case Content.Transferred(Content.Kind kind, String handle) ->
                kind == Content.Kind.SNAPSHOT ? new Source.Snapshot(handle) : new Source.Volume(handle);
        };
    }
}
