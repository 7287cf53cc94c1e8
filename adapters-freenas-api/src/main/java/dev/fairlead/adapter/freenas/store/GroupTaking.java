package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotEntry;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotRemoval;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.snapshot.GroupMark;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes the snapshots of a group by one recursive snapshot of the parent, with all other datasets excluded.
 *
 * <p>The parent itself is never excluded: some releases then exclude what lies below it too, and 26 fails after the
 * effect. Its snapshot is the sign that the group is unfinished. It comes with the others in one step; then a box
 * before 26 marks each of them, what others got by a mistake is deleted, and the parent's goes last. A call that is
 * repeated goes on with what is there, since the name tells the group, its volumes, and its parameters.
 */
record GroupTaking(
        VolumeMedium.Kind kind,
        DatasetLayout layout,
        DatasetCalls datasets,
        SnapshotCalls snapshots,
        ParentLookup parents,
        GroupLookup lookup,
        SnapshotRemoval removal) {
    /** The most bytes of names in a message: a box takes 64 KiB, and the rest of the message needs a part of it. */
    private static final int MOST_BYTES = 60 << 10;

    private static final int MOST_ROUNDS = 10;

    /** The bytes around a name in a list. */
    private static final int AROUND = 4;

    /**
     * Holds what is asked for.
     *
     * @param marks the properties that all snapshots of the group have
     */
    record Wanted(
            NativeId id,
            DatasetName parent,
            Map<NativeId, DatasetName> volumes,
            GroupMark mark,
            Map<String, String> marks) {
        String name() {
            return DatasetLayout.groupName(
                    id, mark.shape().members() + mark.shape().parameters());
        }

        SnapshotName ofParent() {
            return snapshot(parent);
        }

        SnapshotName snapshot(DatasetName dataset) {
            try {
                return dataset.snapshot(name());
            } catch (IllegalArgumentException e) {
                throw new StorageException(
                        new Failure.InvalidRequest(
                                "source_volume_ids",
                                "name " + dataset + ", whose name leaves no room for that of a snapshot"),
                        e);
            }
        }
    }

    /** @param there what is there of the group, none of it finished */
    StoredGroup make(Wanted wanted, List<SnapshotEntry> there, Work work) {
        wanted.volumes().values().forEach(wanted::snapshot);
        List<SnapshotEntry> begun = there;
        if (!isTaken(wanted, begun, work)) {
            discardBegun(wanted, begun, work);
            requireOurs(wanted, work);
            ApiResult result = take(wanted, work);
            begun = lookup.of(wanted.id(), work);
            Optional<StoredGroup> finished = lookup.group(wanted.id(), begun);
            if (finished.isPresent()) {
                return finished.get(); // another controller was quicker
            }
            if (!isTaken(wanted, begun, work)) {
                throw failure(wanted, result, begun, work);
            }
        }
        return finish(wanted, begun, work);
    }

    /** Says whether all snapshots of the group are there, and can be used by a box that marks none later. */
    private boolean isTaken(Wanted wanted, List<SnapshotEntry> there, Work work) {
        Map<SnapshotName, SnapshotEntry> byName =
                there.stream().collect(Collectors.toMap(SnapshotEntry::name, entry -> entry));
        boolean marked = snapshots.marksGroups(work);
        return byName.containsKey(wanted.ofParent())
                && wanted.volumes().values().stream()
                        .map(wanted::snapshot)
                        .allMatch(name -> byName.containsKey(name)
                                && (!marked
                                        || GroupLookup.mark(byName.get(name)).isPresent()));
    }

    private void requireOurs(Wanted wanted, Work work) {
        parents.requireOwnMarks(wanted.parent(), work);
        Map<DatasetName, DatasetEntry> found = datasets.each(wanted.volumes().values(), work).stream()
                .collect(Collectors.toMap(DatasetEntry::name, entry -> entry));
        wanted.volumes().forEach((id, name) -> {
            boolean ours = Optional.ofNullable(found.get(name))
                    .map(DatasetEntry::volume)
                    .filter(volume -> volume.isManaged()
                            && volume.isWhole()
                            && volume.isBlockDevice() == (kind == VolumeMedium.Kind.BLOCK_DEVICE))
                    .isPresent();
            if (!ours) {
                parents.require(wanted.parent(), work); // it throws if the pool is away
                throw new StorageException(new Failure.VolumeNotFound(id.value()));
            }
        });
    }

    private ApiResult take(Wanted wanted, Work work) {
        Set<String> members =
                wanted.volumes().values().stream().map(DatasetName::value).collect(Collectors.toSet());
        List<String> excluded = datasets.namesBelow(wanted.parent(), work).stream()
                .filter(name -> !members.contains(name))
                .toList();
        int bytes = excluded.stream()
                .mapToInt(name -> name.getBytes(StandardCharsets.UTF_8).length + AROUND)
                .sum();
        if (bytes > MOST_BYTES) {
            throw new StorageException(new Failure.Unsupported(
                    "a group snapshot below " + wanted.parent() + ", where " + excluded.size()
                            + " other datasets would have to be excluded by name, which passes the 64 KiB that a box"
                            + " takes as one message",
                    "keep volumes that are snapshotted together below a parent of their own (fairlead.parents)"));
        }
        return snapshots.createAll(wanted.parent(), wanted.name(), excluded, wanted.marks(), work);
    }

    /** Returns why the snapshots are not there, and leaves none of those that are. */
    private StorageException failure(Wanted wanted, ApiResult result, List<SnapshotEntry> left, Work work) {
        if (result instanceof ApiResult.Refused refused && refused.isThereAlready()) {
            return datasets.unavailable("another call takes the snapshots of " + wanted.id());
        }
        discardBegun(wanted, left, work);
        requireOurs(wanted, work); // a volume may have gone meanwhile
        return result instanceof ApiResult.Refused refused && !refused.isAbsent()
                ? refused.failure()
                : datasets.unavailable("the snapshots of " + wanted.id() + " were taken, and some are not there");
    }

    private StoredGroup finish(Wanted wanted, List<SnapshotEntry> begun, Work work) {
        removal.requireStaying(begun.stream().map(SnapshotEntry::name).toList(), work);
        Set<SnapshotName> members = new HashSet<>();
        wanted.volumes().forEach((volume, dataset) -> {
            SnapshotName name = wanted.snapshot(dataset);
            members.add(name);
            begun.stream()
                    .filter(entry ->
                            entry.name().equals(name) && GroupLookup.mark(entry).isEmpty())
                    .forEach(entry -> mark(wanted, volume, entry.name(), work));
        });
        List<SnapshotEntry> marked = withoutOthers(wanted, members, work);
        // While the parent's snapshot is there, the repeated call can still set right what is not as it should be.
        discard(
                marked.stream()
                        .filter(entry -> entry.name().equals(wanted.ofParent()))
                        .toList(),
                work);
        return requireAll(wanted, members, lookup.of(wanted.id(), work));
    }

    /**
     * Returns what is there of a group after the snapshots of other volumes were deleted that were taken with it. It is
     * read again until there are none: a volume that is being made is given its name meanwhile, and its snapshot with
     * it, so that the one of the former name is gone, and was not deleted. Nothing is deleted unless all members are
     * there and the parent's snapshot says that the group is not finished: another call may have made one of the same
     * id and other members, or this one.
     */
    private List<SnapshotEntry> withoutOthers(Wanted wanted, Set<SnapshotName> members, Work work) {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            List<SnapshotEntry> there = lookup.of(wanted.id(), work);
            var _ = requireAll(
                    wanted,
                    members,
                    there.stream()
                            .filter(entry -> !lookup.isOfParent(entry.name()))
                            .toList());
            boolean isFinished = there.stream().noneMatch(entry -> entry.name().equals(wanted.ofParent()));
            List<SnapshotEntry> others = there.stream()
                    .filter(entry -> entry.name().name().equals(wanted.name())
                            && !members.contains(entry.name())
                            && !entry.name().equals(wanted.ofParent()))
                    .toList();
            if (isFinished || others.isEmpty()) {
                return there;
            }
            discard(others, work);
        }
        throw datasets.unavailable("volumes beside those of " + wanted.id() + " come and go; ask again");
    }

    private StoredGroup requireAll(Wanted wanted, Set<SnapshotName> members, List<SnapshotEntry> found) {
        List<SnapshotEntry> ours = found.stream()
                .filter(entry -> members.contains(entry.name()) || lookup.isOfParent(entry.name()))
                .toList();
        return lookup.group(wanted.id(), ours)
                .filter(group -> group.snapshots().size() == members.size())
                .orElseThrow(() -> datasets.unavailable(
                        "the snapshots of " + wanted.id() + " were taken, and read back differently"));
    }

    private void mark(Wanted wanted, NativeId volume, SnapshotName name, Work work) {
        Map<String, String> all = new LinkedHashMap<>(wanted.marks());
        all.put(PeerProperties.SNAPSHOT_SOURCE, volume.value());
        if (snapshots.update(name, all, work) instanceof ApiResult.Refused refused) {
            throw refused.isAbsent() || refused.says("not found")
                    ? datasets.unavailable("another call deleted " + name)
                    : refused.failure();
        }
    }

    /** Removes what is there of an unfinished group. */
    void clear(Wanted wanted, Work work) {
        List<SnapshotEntry> left = lookup.of(wanted.id(), work);
        if (lookup.areUnfinished(left)) {
            discard(left, work);
        }
    }

    /**
     * Removes what is there of an unfinished group, if its parent's snapshot proves that nobody was given it. Snapshots
     * without that one may be of a group that was handed out, and whose marks the box did not show.
     */
    private void discardBegun(Wanted wanted, List<SnapshotEntry> seen, Work work) {
        if (seen.isEmpty()) {
            return;
        }
        List<SnapshotEntry> now = lookup.of(wanted.id(), work); // another controller may have finished it meanwhile
        if (!lookup.areUnfinished(now)) {
            throw datasets.unavailable("snapshots of " + wanted.id()
                    + " are there which another call may have finished, and none of them is deleted; ask again");
        }
        discard(now, work);
    }

    /** Deletes snapshots of a group, those of parents last, since they keep the others from being seen. */
    void discard(List<SnapshotEntry> all, Work work) {
        all.stream()
                .sorted(Comparator.comparing(entry -> lookup.isOfParent(entry.name())))
                .forEach(entry -> removal.delete(entry.name(), work).refusal().ifPresent(refused -> {
                    throw refused.isBusy() || refused.says("clones") || refused.says("has the following holds")
                            ? new StorageException(new Failure.InUse(
                                    layout.snapshot(entry.name())
                                            .map(NativeId::value)
                                            .orElse(entry.name().toString()),
                                    refused.text(),
                                    "delete what depends on it first"))
                            : refused.failure();
                }));
    }
}
