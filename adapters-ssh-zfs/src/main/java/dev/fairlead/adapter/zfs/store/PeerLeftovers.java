package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.Finality;
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
 * What democratic-csi has begun and not finished. It is finished for the request that it was begun for, and refused for
 * any other; nothing of it is ever destroyed, and until the last step it stays what democratic-csi would go on with.
 */
record PeerLeftovers(ZfsHost host, BirthProperties properties) {
    /** Where the name of a target is noted, as soon as there is one. */
    private static final List<String> ASSETS = List.of(PeerProperties.ISCSI_ASSET, PeerProperties.NVMEOF_ASSET);

    /** What makes it the volume of this birth, and reads it back. */
    Steps finishing(Birth birth, DatasetName name, VolumeProperties there, BirthSteps plan, Work work) {
        difference(birth, there, plan).ifPresent(difference -> {
            throw new StorageException(new Failure.VolumeConflict(birth.id().value(), difference));
        });
        if (there.hasShareContext()) {
            return withoutHelper(plan)
                    .then(set(name, Map.of(PeerProperties.SUCCESS, PeerProperties.TRUE)))
                    .and(plan.reading());
        }
        // What a clone or a copy lacks of the connection's own properties democratic-csi could not give it.
        Map<String, String> early =
                plan.from().isPresent() ? NativeProperties.settable(properties.cloned(birth)) : properties.marks(birth);
        Map<String, String> last = new LinkedHashMap<>();
        for (String key : List.of(OwnProperties.NOTES, PeerProperties.SHARE_CONTEXT)) {
            Optional.ofNullable(early.remove(key)).ifPresent(value -> last.put(key, value));
        }
        for (String asset : ASSETS) {
            String noted = there.printed(asset);
            if (early.containsKey(asset) && !noted.equals("-") && !noted.equals(early.get(asset))) {
                early.remove(asset); // its target is there by that name, and its context is told by the exporter
                last.remove(PeerProperties.SHARE_CONTEXT);
            }
        }
        last.putAll(BirthPlan.done(last));
        return new Steps()
                .then(set(name, early))
                .and(withoutReceived(name, plan, work))
                .and(plan.rest())
                .then(set(name, last))
                .and(plan.reading());
    }

    /** A copy needs the snapshot no more that was taken for it, by democratic-csi or by this call before it looked. */
    private Steps withoutHelper(BirthSteps plan) {
        Steps steps = new Steps();
        plan.from()
                .filter(_ -> plan.copies() && plan.takesSnapshot())
                .ifPresent(helper -> steps.remove(
                        host.zfs().destroy(helper, true), host.zfs().exists(helper.toString())));
        return steps;
    }

    private static Optional<String> difference(Birth birth, VolumeProperties there, BirthSteps plan) {
        boolean grows = birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE
                && !birth.request().content().equals(Content.EMPTY);
        StoredVolume begun = there.volume(birth.id());
        // A block volume has its origin's size until it is given its own.
        var sized = new StoredVolume(
                begun.id(),
                begun.name(),
                begun.capacity().filter(_ -> !grows),
                begun.medium(),
                begun.content(),
                begun.notes());
        return Compatibility.difference(sized, birth.request(), birth.medium().kind())
                .or(() -> begun.capacity()
                        .filter(size -> grows && birth.capacity().isLessThan(size))
                        .map(size -> "its size is " + size + ", asked for is one of " + birth.capacity()))
                .or(() -> plan.from()
                        .filter(_ -> plan.copies() == there.origin().isPresent())
                        .map(_ -> "democratic-csi has begun it as a " + (plan.copies() ? "clone" : "copy")
                                + ", asked for is a " + (plan.copies() ? "copy" : "clone")));
    }

    /** Takes the snapshot away with which a copy has come, where that was none that was taken for it. */
    Steps withoutReceived(DatasetName name, BirthSteps plan, Work work) {
        Steps steps = new Steps();
        received(name, plan, work)
                .ifPresent(it ->
                        steps.remove(host.zfs().destroy(it, false), host.zfs().exists(it.toString())));
        return steps;
    }

    /**
     * The snapshot with which a copy of a caller's snapshot has come. It is there only once all of a stream has come,
     * and it is that one where it has its guid.
     */
    Optional<SnapshotName> received(DatasetName name, BirthSteps plan, Work work) {
        if (!plan.copies() || plan.takesSnapshot()) {
            return Optional.empty();
        }
        return plan.from().map(sent -> name.snapshot(sent.name())).filter(received -> {
            Optional<String> guid = guid(received, work);
            return guid.isPresent() && guid.equals(plan.from().flatMap(sent -> guid(sent, work)));
        });
    }

    private Optional<String> guid(SnapshotName snapshot, Work work) {
        return host.get(snapshot.toString(), List.of("guid"), work)
                .flatMap(rows -> Optional.ofNullable(rows.get("guid")))
                .map(Property::value);
    }

    /** A failure that makes the caller come again where it would else be the last word, and the volume be cleared. */
    StorageException kept(StorageException thrown, DatasetName name, Work work) {
        if (!Finality.isFinal(thrown.failure()) || thrown.failure() instanceof Failure.VolumeConflict) {
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
