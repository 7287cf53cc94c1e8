package dev.fairlead.application.service.plan;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.BackendSettings;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.parameters.ParameterScopes;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologyChoice;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.IdPolicy;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.ShapeDigest;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Holds a connection on which a wanted volume may be made, and the request as that connection reads it. */
public record PlannedVolume(ConnectionUse use, HandleCodec codec, CreateRequest request, Birth birth, Ids ids) {
    /**
     * Holds the ids that the policy of the connection gives to the volume.
     *
     * @param peers the id under which democratic-csi would have made it, if that is another one
     */
    record Ids(NativeId suggested, Optional<NativeId> peers) {}

    /**
     * Reads and plans the request, and refuses what the connection can refuse. Nothing is asked of the storage.
     *
     * @param content by ids of this connection
     */
    public static PlannedVolume plan(
            ConnectionUse use, HandleCodec codec, CreateVolume.Command command, Content content) {
        Backend backend = use.backend();
        CapabilityRules rules = backend.settings().capabilities();
        Optional<String> refusal = content.equals(Content.EMPTY)
                ? rules.objection(command.capabilities())
                : rules.objectionToFound(command.capabilities());
        refusal.ifPresent(objection -> {
            throw new StorageException(new Failure.InvalidRequest(
                    "volume_capabilities", "connection " + backend.name() + ": " + objection));
        });
        var request = new CreateRequest(
                command.name(),
                command.capacity(),
                command.capabilities(),
                parameters(backend, command.parameters()),
                content,
                command.mutable().isEmpty() ? Map.of() : MutableParameters.of(backend, command.mutable()),
                command.reach());
        return planned(use, codec, request);
    }

    /** Plans the same for content with its id as the store spells it, and for sizes that hold the content. */
    public PlannedVolume holding(ContentSource.Found found) {
        CapacityRange range = found.within(request.capacity());
        return planned(
                use,
                codec,
                new CreateRequest(
                        request.name(),
                        range,
                        request.capabilities(),
                        request.parameters(),
                        found.content(),
                        request.mutable(),
                        request.reach()),
                ids);
    }

    /** Returns the volume that an earlier call of Fairlead or democratic-csi made of this request, if any. */
    public Optional<StoredVolume> existing(Work work) {
        Optional<StoredVolume> ofPeer = ofPeer(work);
        return ofPeer.isPresent() ? ofPeer : use.backend().store().existing(birth, work);
    }

    /**
     * Refuses a volume that exists and is not reachable from where it is wanted now. The scheduler chooses again on
     * this code, until it comes to a node that reaches the volume.
     */
    public void requireReachable(StoredVolume existing) {
        Placement placement = use.backend().placement(existing);
        boolean unknown =
                existing.ownPlacement().filter(Placement.UNKNOWN::equals).isPresent();
        if (!unknown && !TopologyChoice.satisfies(placement, request.reach())) {
            throw new StorageException(new Failure.Unreachable(codec.encode(new VolumeHandle(use.name(), existing.id()))
                    + " is there since an earlier call, and "
                    + (existing.ownPlacement().isPresent() ? "it" : "its connection")
                    + " is not reachable from where the volume is wanted now; it is answered to a claim that may"
                    + " be where it is, and a claim that is given up leaves it there"));
        }
    }

    /**
     * Returns the volume under the id that only democratic-csi gives, even if it is unfinished, unless it has another
     * name.
     */
    private Optional<StoredVolume> ofPeer(Work work) {
        return ids.peers()
                .flatMap(id -> use.backend().store().findToMake(id, work))
                .filter(volume -> volume.name()
                        .filter(name -> !name.equals(request.name()))
                        .isEmpty());
    }

    /**
     * Plans the same under democratic-csi's id if democratic-csi has begun the volume, so that no second one is made.
     */
    public PlannedVolume asBegun(Work work) {
        if (ids.peers().isEmpty()) {
            return this;
        }
        return use.read(work, "look for volume " + ids.peers().get(), _ -> ofPeer(work))
                .map(volume -> planned(use, codec, request, new Ids(volume.id(), Optional.empty())))
                .orElse(this);
    }

    /** Returns the class parameters as a connection reads them, without those that choose a connection. */
    public static Map<String, String> parameters(Backend backend, Map<String, String> raw) {
        BackendSettings settings = backend.settings();
        var scopes = new ParameterScopes(settings.instanceId(), backend.driverType(), settings.parameterKeys());
        Map<String, String> resolved = new TreeMap<>(scopes.resolve(raw));
        resolved.keySet().removeAll(ParameterScopes.CONNECTION_KEYS);
        return resolved;
    }

    private static PlannedVolume planned(ConnectionUse use, HandleCodec codec, CreateRequest request) {
        Backend backend = use.backend();
        IdPolicy policy = backend.settings().idPolicy();
        int overhead = codec.overhead(backend.name());
        return planned(
                use,
                codec,
                request,
                new Ids(
                        policy.idFor(request.name(), request.parameters(), overhead),
                        policy.peersIdFor(request.name(), request.parameters(), overhead)));
    }

    private static PlannedVolume planned(ConnectionUse use, HandleCodec codec, CreateRequest request, Ids ids) {
        Backend backend = use.backend();
        Birth birth = backend.store().plan(request, ids.suggested());
        if (!request.capacity().fits(birth.capacity())) {
            throw new StorageException(new Failure.CapacityOutOfRange("connection " + backend.name() + " would make "
                    + birth.capacity() + ", which is outside the capacity_range that is asked for"));
        }
        Birth mayBeClosed = backend.closes() ? birth.noting(Access.CLOSED) : birth;
        Exporter.Plan plan = backend.exporter().plan(mayBeClosed);
        return new PlannedVolume(
                use, codec, request, mayBeClosed.exported(notes(backend, mayBeClosed, plan), plan.bornWith()), ids);
    }

    private static Map<String, String> notes(Backend backend, Birth birth, Exporter.Plan plan) {
        CreateRequest request = birth.request();
        Map<String, String> notes = new TreeMap<>(plan.notes());
        notes.put(Notes.DIGEST, ShapeDigest.of(request).value());
        notes.putAll(Notes.ofContext(VolumeViews.provisionerContext(backend)));
        plan.attachment()
                .ifPresent(known -> notes.putAll(
                        Notes.ofContext(VolumeViews.birthContext(backend, birth.id(), known, request.content()))));
        return notes;
    }
}
