package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes random RPCs about volumes of its own by a connection of one type, each again until it is done, as sidecars do;
 * complains if one fails that no restart of the box excuses.
 */
final class LoadCaller implements Runnable {
    private static final long GIB = 1L << 30;
    private static final int NODES = 3;
    private static final int MOST_IN_GROUP = 3;
    private static final VolumeCapability SHARED = TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER);

    private final ControllerUseCases useCases;
    private final LoadedConnections box;
    private final String type;
    private final AtomicBoolean goOn;
    private final Random random;
    private final RepeatedCalls calls;
    private final List<LoadedVolume> volumes;
    private final AtomicInteger names = new AtomicInteger();
    private final Map<String, List<String>> groups = new TreeMap<>();

    /**
     * @param number tells its volumes from those of other callers
     * @param goOn whether it begins another RPC
     */
    LoadCaller(LoadedConnections box, String type, int number, int count, AtomicBoolean goOn, long seed) {
        this.useCases = box.of(type).useCases();
        this.box = box;
        this.type = type;
        this.goOn = goOn;
        this.random = new Random(seed * 1000 + number);
        this.calls = new RepeatedCalls(box, type);
        this.volumes = IntStream.range(0, count)
                .mapToObj(i -> new LoadedVolume(LoadedConnections.parent(type), "pvc-" + number + "-" + i))
                .toList();
    }

    List<LoadedVolume> volumes() {
        return volumes;
    }

    /** Returns its calls, of which those are told that have failed as they must not. */
    RepeatedCalls calls() {
        return calls;
    }

    String type() {
        return type;
    }

    @Override
    public void run() {
        try {
            work();
        } catch (RuntimeException | Error e) {
            calls.complain(e + " at " + List.of(e.getStackTrace()).subList(0, 4));
        }
    }

    private void work() {
        for (LoadedVolume volume : volumes) {
            create(volume);
        }
        while (goOn.get() && calls.complaints().isEmpty()) {
            LoadedVolume volume = volumes.get(random.nextInt(volumes.size()));
            if (volume.isThere()) {
                change(volume);
            } else {
                create(volume);
            }
        }
    }

    private void change(LoadedVolume volume) {
        int node = 1 + random.nextInt(NODES);
        switch (random.nextInt(10)) {
            case 0, 1 -> publish(volume, node);
            case 2, 3 -> unpublish(volume, node);
            case 4 -> expand(volume);
            case 5 -> take(volume);
            case 6 -> volume.snapshots().stream().findFirst().ifPresent(snapshot -> deleteSnapshot(volume, snapshot));
            case 7 -> takeGroup(volume);
            case 8 -> deleteGroup();
            default -> delete(volume);
        }
    }

    private void create(LoadedVolume volume) {
        LoadedVolume other = volumes.get(random.nextInt(volumes.size()));
        String snapshot = other.snapshots().stream().findFirst().orElse("");
        Source source = Source.NONE;
        String from = "";
        long bytes = GIB;
        if (other != volume && other.isThere() && random.nextInt(3) == 0) {
            source = snapshot.isEmpty() ? new Source.Volume(other.handle()) : new Source.Snapshot(snapshot);
            from = snapshot.isEmpty() ? other.handle() : snapshot;
            bytes = other.bytes();
        }
        var command = new CreateVolume.Command(
                new CsiName(volume.name()),
                CapacityRange.of(bytes, 0),
                List.of(SHARED),
                OneConnectionFixture.ON_NAS,
                source,
                AccessibilityRequirement.NONE);
        String of = from;
        long size = bytes;
        calls.make("create " + volume.name(), work -> useCases.createVolume().create(command, work))
                .ifPresent(made -> volume.created(AttachmentCodec.decode(made.context()), of, size));
    }

    private void publish(LoadedVolume volume, int node) {
        var command = new PublishVolume.Command(volume.handle(), id(node), SHARED, false);
        calls.make("publish " + volume.name(), work -> useCases.publishVolume().publish(command, work))
                .ifPresent(_ -> volume.nodes().add(node));
    }

    private void unpublish(LoadedVolume volume, int node) {
        Optional<String> id = Optional.of(id(node));
        calls.make("unpublish " + volume.name(), work -> {
                    useCases.unpublishVolume().unpublish(volume.handle(), id, work);
                    return node;
                })
                .ifPresent(volume.nodes()::remove);
    }

    private void expand(LoadedVolume volume) {
        long wanted = volume.bytes() + GIB;
        calls.make(
                        "expand " + volume.name(),
                        work -> useCases.expandVolume()
                                .expand(volume.handle(), CapacityRange.of(wanted, 0), work)
                                .capacity()
                                .bytes())
                .ifPresent(volume::grown);
    }

    private void take(LoadedVolume volume) {
        var name = new CsiName("snap-" + volume.name() + "-" + names.incrementAndGet());
        calls.make(
                        "take " + name,
                        work -> useCases.takeSnapshot()
                                .take(name, volume.handle(), Map.of(), work)
                                .handle())
                .ifPresent(volume.snapshots()::add);
    }

    private void deleteSnapshot(LoadedVolume volume, String snapshot) {
        if (volumes.stream().noneMatch(each -> each.from().equals(snapshot))) {
            calls.make("delete " + snapshot, work -> {
                        useCases.deleteSnapshot().delete(snapshot, work);
                        return snapshot;
                    })
                    .ifPresent(volume.snapshots()::remove);
        }
    }

    private void takeGroup(LoadedVolume first) {
        var name = new CsiName("group-" + first.name() + "-" + names.incrementAndGet());
        List<LoadedVolume> members = Stream.concat(
                        Stream.of(first), volumes.stream().filter(each -> each.isThere() && each != first))
                .limit(MOST_IN_GROUP)
                .toList();
        List<String> handles = members.stream().map(LoadedVolume::handle).toList();
        calls.make("take " + name, work -> useCases.groups().take().take(name, handles, Map.of(), work))
                .ifPresent(taken -> {
                    groups.put(
                            taken.handle(),
                            taken.snapshots().stream().map(SnapshotView::handle).toList());
                    taken.snapshots()
                            .forEach(snapshot ->
                                    of(snapshot.sourceVolume()).grouped().add(snapshot.handle()));
                    if (taken.snapshots().size() != members.size()) {
                        calls.complain(name + " has " + taken.snapshots());
                    }
                });
    }

    private LoadedVolume of(String handle) {
        return volumes.stream()
                .filter(volume -> volume.handle().equals(handle))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(handle + " is none of "
                        + volumes.stream().map(LoadedVolume::handle).toList()));
    }

    private void deleteGroup() {
        groups.keySet().stream().findFirst().ifPresent(group -> {
            List<String> snapshots = groups.getOrDefault(group, List.of());
            calls.make("delete " + group, work -> {
                        useCases.groups().delete().delete(group, snapshots, work);
                        return group;
                    })
                    .ifPresent(gone -> {
                        groups.remove(gone);
                        volumes.forEach(volume -> volume.grouped().removeAll(snapshots));
                    });
        });
    }

    private void delete(LoadedVolume volume) {
        boolean isNeeded = volumes.stream().anyMatch(each -> each.from().equals(volume.handle()));
        if (volume.snapshots().isEmpty() && volume.grouped().isEmpty() && !isNeeded) {
            calls.make("delete " + volume.name(), work -> {
                        useCases.deleteVolume().delete(volume.handle(), work);
                        return volume;
                    })
                    .ifPresent(LoadedVolume::deleted);
        }
    }

    /** Deletes what is there, copies before what they were made of. */
    void clear() {
        for (int i = groups.size(); i > 0; i--) {
            deleteGroup();
        }
        for (int i = 0; i < volumes.size() && volumes.stream().anyMatch(LoadedVolume::isThere); i++) {
            for (LoadedVolume volume : volumes) {
                List.copyOf(volume.snapshots()).forEach(snapshot -> deleteSnapshot(volume, snapshot));
                if (volume.isThere()) {
                    delete(volume);
                }
            }
        }
    }

    /** Makes a volume and deletes it a day later, by which what calls have left elsewhere is found. */
    void tidy() {
        box.wait(Duration.ofDays(1).plusHours(1));
        LoadedVolume volume = volumes.getFirst();
        for (int i = 0; i < 2; i++) {
            create(volume);
            delete(volume);
            box.wait(Duration.ofHours(1).plusMinutes(1)); // until a parent is looked at again
        }
    }

    private static String id(int node) {
        return "n=node-" + node + "/i1=" + node + "/vu=0000-" + node + "/a=10.0.0." + node;
    }
}
