package dev.fairlead.adapter.zfs.store.create;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.store.volume.BirthProperties;
import dev.fairlead.adapter.zfs.store.volume.NativeProperties;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Compatibility;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finishes what democratic-csi began and did not finish, for the request that it was begun for; any other request is
 * refused. Nothing of it is ever destroyed, and until the last step democratic-csi could still continue it.
 */
record PeerLeftovers(ZfsHost host, BirthProperties properties) {
    /** The properties that note the name of a target, as soon as there is one. */
    private static final List<String> ASSETS = List.of(PeerProperties.ISCSI_ASSET, PeerProperties.NVMEOF_ASSET);

    /** Returns the steps that make it the volume of this birth and read it back. */
    Steps finishing(BirthPlan plan, VolumeProperties there, Work work) {
        Birth birth = plan.birth();
        DatasetName name = plan.name();
        difference(plan, there).ifPresent(difference -> {
            throw new StorageException(new Failure.VolumeConflict(birth.id().value(), difference));
        });
        if (there.hasShareContext()) {
            return plan.withoutHelper()
                    .then(set(name, Map.of(PeerProperties.SUCCESS, PeerProperties.TRUE)))
                    .and(plan.reading());
        }
        // democratic-csi could not set the connection's own properties on a clone or a copy, so they are set now.
        Map<String, String> early = plan.source().isPresent()
                ? NativeProperties.settable(properties.cloned(birth))
                : properties.marks(birth);
        Map<String, String> last = new LinkedHashMap<>();
        for (String key : List.of(OwnProperties.NOTES, PeerProperties.SHARE_CONTEXT)) {
            Optional.ofNullable(early.remove(key)).ifPresent(value -> last.put(key, value));
        }
        for (String asset : ASSETS) {
            String noted = there.printed(asset);
            if (early.containsKey(asset) && !noted.equals("-") && !noted.equals(early.get(asset))) {
                early.remove(asset); // its target exists under that name, and the exporter notes its context
                last.remove(PeerProperties.SHARE_CONTEXT);
            }
        }
        last.putAll(BirthPlan.done(last));
        return new Steps()
                .then(set(name, early))
                .and(withoutReceived(plan, work))
                .and(plan.afterContent())
                .then(set(name, last))
                .and(plan.reading());
    }

    private static Optional<String> difference(BirthPlan plan, VolumeProperties there) {
        Birth birth = plan.birth();
        boolean grows = birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE
                && !birth.request().content().equals(Content.EMPTY);
        StoredVolume begun = there.volume(birth.id());
        // Without its size, since a block volume has its origin's until it is given its own.
        StoredVolume sized = begun.withCapacity(begun.capacity().filter(_ -> !grows));
        return Compatibility.difference(sized, birth.request(), birth.medium().kind())
                .or(() -> begun.capacity()
                        .filter(size -> grows && birth.capacity().isLessThan(size))
                        .map(size -> "its size is " + size + ", asked for is one of " + birth.capacity()))
                .or(() -> plan.source()
                        .filter(_ -> plan.copies() == there.origin().isPresent())
                        .map(_ -> "democratic-csi has begun it as a " + (plan.copies() ? "clone" : "copy")
                                + ", asked for is a " + (plan.copies() ? "copy" : "clone")));
    }

    /** Returns the removal of the snapshot that came with a copy, if that was not one taken for the copy. */
    Steps withoutReceived(BirthPlan plan, Work work) {
        Steps steps = new Steps();
        received(plan, work)
                .ifPresent(it ->
                        steps.remove(host.zfs().destroy(it, false), host.zfs().exists(it.toString())));
        return steps;
    }

    /**
     * Returns the snapshot that came with a copy of a caller's snapshot. It exists only once the whole stream has
     * arrived, and is recognized by the guid of the one that was sent.
     */
    Optional<SnapshotName> received(BirthPlan plan, Work work) {
        if (!plan.copies() || plan.helper().isPresent()) {
            return Optional.empty();
        }
        return plan.source().map(sent -> plan.name().snapshot(sent.name())).filter(received -> {
            Optional<String> guid = guid(received, work);
            return guid.isPresent() && guid.equals(plan.source().flatMap(sent -> guid(sent, work)));
        });
    }

    private Optional<String> guid(SnapshotName snapshot, Work work) {
        return host.get(snapshot.toString(), List.of("guid"), work)
                .flatMap(rows -> Optional.ofNullable(rows.get("guid")))
                .map(Property::value);
    }

    /**
     * Returns a failure that will be retried, if a final one would have the caller give up a volume that democratic-csi
     * began.
     */
    StorageException kept(StorageException thrown, DatasetName name, Work work) {
        if (!FinalCodes.isFinal(thrown.failure()) || thrown.failure() instanceof Failure.VolumeConflict) {
            return thrown;
        }
        try {
            boolean left = host.get(name.value(), VolumeProperties.ASKED, work.finishing())
                    .filter(rows -> new VolumeProperties(name, rows).isLeftByPeer())
                    .isPresent();
            return left
                    ? host.retried(
                            thrown.failure().message() + "; democratic-csi has begun " + name + ", and it stays",
                            thrown)
                    : thrown;
        } catch (StorageException unknown) {
            thrown.addSuppressed(unknown);
            return host.retried(thrown.failure().message() + "; " + name + " may be there", thrown);
        }
    }

    private List<String> set(DatasetName name, Map<String, String> values) {
        return host.zfs().set(name.value(), values);
    }
}
