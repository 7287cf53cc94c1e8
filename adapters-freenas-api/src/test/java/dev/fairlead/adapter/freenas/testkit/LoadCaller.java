package dev.fairlead.adapter.freenas.testkit;

import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.work.ForwardingWork;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.model.Code;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Makes random RPCs about volumes of its own, each again until it is done, as sidecars do. */
public final class LoadCaller implements Runnable {
    private static final long GIB = 1L << 30;
    private static final int NODES = 3;
    private static final int MOST_REPETITIONS = 600;
    private static final Set<Code> ALLOWED = EnumSet.of(Code.UNAVAILABLE, Code.ABORTED);
    private static final VolumeCapability SHARED = TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER);

    private final ControllerUseCases useCases;
    private final BoxController clock;
    private final AtomicBoolean goOn;
    private final Random random;
    private final List<LoadedVolume> volumes;
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger names = new AtomicInteger();

    /**
     * @param number tells its volumes from those of other callers
     * @param goOn whether it begins another RPC
     */
    public LoadCaller(
            OneConnectionFixture controller,
            BoxController clock,
            int number,
            int count,
            AtomicBoolean goOn,
            long seed) {
        this.useCases = controller.useCases();
        this.clock = clock;
        this.goOn = goOn;
        this.random = new Random(seed * 1000 + number);
        this.volumes = IntStream.range(0, count)
                .mapToObj(i -> new LoadedVolume("pvc-" + number + "-" + i))
                .toList();
    }

    List<LoadedVolume> volumes() {
        return volumes;
    }

    /** Returns what it was told that it must not be told. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    public int done() {
        return done.get();
    }

    public int failed() {
        return failed.get();
    }

    @Override
    public void run() {
        for (LoadedVolume volume : volumes) {
            create(volume);
        }
        while (goOn.get() && complaints.isEmpty()) {
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
        switch (random.nextInt(8)) {
            case 0, 1 -> publish(volume, node);
            case 2, 3 -> unpublish(volume, node);
            case 4 -> expand(volume);
            case 5 -> take(volume);
            case 6 -> volume.snapshots().stream().findFirst().ifPresent(snapshot -> deleteSnapshot(volume, snapshot));
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
        call("create " + volume.name(), work -> useCases.createVolume().create(command, work))
                .ifPresent(made -> volume.created(AttachmentCodec.decode(made.context()), of, size));
    }

    private void publish(LoadedVolume volume, int node) {
        var command = new PublishVolume.Command(volume.handle(), id(node), SHARED, false);
        call("publish " + volume.name(), work -> useCases.publishVolume().publish(command, work))
                .ifPresent(_ -> volume.nodes().add(node));
    }

    private void unpublish(LoadedVolume volume, int node) {
        Optional<String> id = Optional.of(id(node));
        call("unpublish " + volume.name(), work -> {
                    useCases.unpublishVolume().unpublish(volume.handle(), id, work);
                    return node;
                })
                .ifPresent(volume.nodes()::remove);
    }

    private void expand(LoadedVolume volume) {
        long wanted = volume.bytes() + GIB;
        call(
                        "expand " + volume.name(),
                        work -> useCases.expandVolume()
                                .expand(volume.handle(), CapacityRange.of(wanted, 0), work)
                                .capacity()
                                .bytes())
                .ifPresent(volume::grown);
    }

    private void take(LoadedVolume volume) {
        var name = new CsiName("snap-" + volume.name() + "-" + names.incrementAndGet());
        call(
                        "take " + name,
                        work -> useCases.takeSnapshot()
                                .take(name, volume.handle(), Map.of(), work)
                                .handle())
                .ifPresent(volume.snapshots()::add);
    }

    private void deleteSnapshot(LoadedVolume volume, String snapshot) {
        if (volumes.stream().noneMatch(each -> each.from().equals(snapshot))) {
            call("delete " + snapshot, work -> {
                        useCases.deleteSnapshot().delete(snapshot, work);
                        return snapshot;
                    })
                    .ifPresent(volume.snapshots()::remove);
        }
    }

    private void delete(LoadedVolume volume) {
        boolean isNeeded = volumes.stream().anyMatch(each -> each.from().equals(volume.handle()));
        if (volume.snapshots().isEmpty() && !isNeeded) {
            call("delete " + volume.name(), work -> {
                        useCases.deleteVolume().delete(volume.handle(), work);
                        return volume;
                    })
                    .ifPresent(LoadedVolume::deleted);
        }
    }

    /** Deletes what is there, copies before what they were made of. */
    void clear() {
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
    public void tidy() {
        clock.wait(Duration.ofDays(1).plusHours(1));
        LoadedVolume volume = volumes.getFirst();
        for (int i = 0; i < 2; i++) {
            create(volume);
            delete(volume);
            clock.wait(Duration.ofHours(1).plusMinutes(1)); // until a parent is looked at again
        }
    }

    private static String id(int node) {
        return "n=node-" + node + "/i1=" + node + "/vu=0000-" + node + "/a=10.0.0." + node;
    }

    /** The work of one request, which has an id of its own as in production. */
    private record OneRequest(Work work, String requestId) implements ForwardingWork {
        @Override
        public Work finishing() {
            return new OneRequest(work.finishing(), requestId);
        }
    }

    /** Makes a call until it is done; empty if it fails as it must not. */
    private <T> Optional<T> call(String what, Function<Work, T> call) {
        for (int i = 0; i < MOST_REPETITIONS; i++) {
            try {
                T answer = call.apply(new OneRequest(TestWork.named(what), names.incrementAndGet() + what));
                done.incrementAndGet();
                return Optional.of(answer);
            } catch (StorageException e) {
                failed.incrementAndGet();
                if (!ALLOWED.contains(Code.of(e.failure()))) {
                    complaints.add(what + ": " + Code.of(e.failure()) + " " + e.getMessage());
                    return Optional.empty();
                }
                clock.wait(LateCalls.LONGEST.dividedBy(20));
                LockSupport.parkNanos(Duration.ofMillis(20 + random.nextInt(30)).toNanos());
            } catch (RuntimeException e) {
                complaints.add(what + ": " + e);
                return Optional.empty();
            }
        }
        complaints.add(what + " was never done");
        return Optional.empty();
    }
}
