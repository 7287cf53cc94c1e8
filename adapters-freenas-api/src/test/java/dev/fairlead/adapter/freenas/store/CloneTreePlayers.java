package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Plays a driver and an administrator who work on one box, step by step, and watches what is lost by each step. */
final class CloneTreePlayers {
    private static final String PARENT = SimulatedBox.PARENT;
    private static final Duration LONG = Duration.ofHours(2);
    private static final Pattern NOBODYS = Pattern.compile(PARENT + "/(fairlead:deleted:[0-9]+:)?fairlead:making:");
    private static final List<String> CUT = List.of(
            "pool.dataset.delete",
            "pool.snapshot.delete",
            "zfs.snapshot.delete",
            "pool.dataset.rename",
            "pool.dataset.promote",
            "pool.dataset.update",
            "zfs.resource.destroy",
            "zfs.resource.snapshot.destroy");

    private final SimulatedBox box;
    private final Random random;
    private final VolumeStore store;
    private final SnapshotStore snapshots;
    private final boolean destroysForeign;
    private final SteppingClock clock = SteppingClock.standing();
    private final List<String> steps = new ArrayList<>();
    /** The numbers of what was deleted for good, though a box may keep it for what hangs on it. */
    private final Set<String> given = new HashSet<>();

    private final List<NativeId> taken = new ArrayList<>();
    private int made;
    private int deletions;
    private volatile boolean isPlaying = true;

    CloneTreePlayers(SimulatedBox box, long seed) {
        this.box = box;
        this.random = new Random(seed);
        this.destroysForeign = seed % 2 == 0;
        this.store = FreenasFixture.store(
                box.watched(this::meanwhile),
                VolumeMedium.Kind.FILESYSTEM,
                Map.of(),
                destroysForeign ? Map.of("foreignSnapshots", "destroy") : Map.of(),
                new LateCalls(clock),
                clock);
        this.snapshots = store.snapshots().orElseThrow();
        steps.add(destroysForeign ? "snapshots of others go with their volume" : "snapshots of others bar a deletion");
    }

    List<String> steps() {
        return List.copyOf(steps);
    }

    int deletions() {
        return deletions;
    }

    void play(int count) {
        for (int i = 0; i < count; i++) {
            box.clearFaults();
            if (random.nextInt(6) == 0) {
                String method = pick(CUT);
                Fault.Injury injury = random.nextBoolean() ? new Fault.CutBefore() : new Fault.CutAfter();
                steps.add("the next " + method + " gets " + injury);
                box.fault(Fault.at(method, injury));
            }
            step();
            clock.advance(random.nextInt(4) == 0 ? LONG : Duration.ofSeconds(20));
        }
        box.clearFaults();
        isPlaying = false;
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0, 1 -> create(new Content(""));
            case 2 -> volume(id -> create(new Content(id)));
            case 3 -> snapshot(id -> create(new Content(id)));
            case 4, 5 -> volume(this::take);
            case 6 -> snapshot(this::deleteSnapshot);
            case 7, 8, 9 -> volume(id -> delete(id, pick(List.of(OnDependents.values()))));
            default -> administrator();
        }
    }

    /** What a volume is made of: nothing, a volume, or a snapshot, by its id. */
    private record Content(String id) {
        CreateRequest request(String name) {
            if (id.isEmpty()) {
                return TestVolumes.empty(name);
            }
            return id.contains("@")
                    ? TestVolumes.fromSnapshot(name, new NativeId(id))
                    : TestVolumes.fromVolume(name, new NativeId(id));
        }
    }

    private void create(Content content) {
        String name = "pvc-" + ++made;
        attempt("create " + name + " of '" + content.id() + "'", Set.of(), () -> {
            store.create(store.plan(content.request(name), new NativeId(name)), TestWork.patient());
            box.write(PARENT + "/" + name, "data", "of " + name);
        });
    }

    private void take(String volume) {
        String name = "snap-" + ++made;
        attempt(
                "take " + name + " of " + volume,
                Set.of(),
                () -> taken.add(snapshots
                        .take(
                                new SnapshotRequest(new CsiName(name), new NativeId(volume), Map.of()),
                                200,
                                TestWork.patient())
                        .id()));
    }

    /** Lets the administrator be at work between two calls of the driver, at the worst moments most often. */
    private void meanwhile(String method) {
        boolean isWorst = method.contains("delete") || method.contains("destroy") || method.contains("rename");
        if (isPlaying && random.nextInt(isWorst ? 2 : 20) == 0) {
            administrator();
        }
    }

    private void deleteSnapshot(String id) {
        String guid = CloneTrees.of(box).guid(PARENT + "/" + id);
        attempt("delete snapshot " + id, Set.of(guid), () -> {
            snapshots.delete(new NativeId(id), TestWork.patient());
            given.add(guid);
            deletions++;
        });
    }

    private void delete(String id, OnDependents policy) {
        Set<String> mayGo = Set.of(CloneTrees.of(box).guid(PARENT + "/" + id));
        attempt("delete " + id + " " + policy, mayGo, () -> {
            store.deletionCheck(new NativeId(id), policy, TestWork.patient()).refuseIfBarred(id);
            store.delete(new NativeId(id), policy, TestWork.patient());
            given.addAll(mayGo);
            deletions++;
        });
    }

    /** Does what an administrator does, who destroys nothing but what is his own, and that by its name alone. */
    private void administrator() {
        String any = any("", name -> name.startsWith(PARENT + "/") || name.startsWith("tank/theirs"));
        String space = box.profile().before(Profile.V25_10_0) ? "zfs.snapshot" : "pool.snapshot";
        if (any.isEmpty()) {
            return;
        }
        String name = "tank/theirs-" + ++made;
        switch (random.nextInt(4)) {
            case 0 -> byHand(space + ".create", Map.of("dataset", any.replaceFirst("@.*", ""), "name", "auto-" + made));
            case 1 -> {
                if (any.contains("@")) {
                    byHand(space + ".clone", Map.of("snapshot", any, "dataset_dst", name));
                    box.write(name, "data", "of " + name);
                }
            }
            case 2 -> {
                // Snapshots by CSI that are moved to what is nobody's are lost to their users, and stay there.
                if (!any.contains("/fairlead:")) {
                    byHand("pool.dataset.promote", any.replaceFirst("@.*", ""));
                }
            }
            default -> {
                if (any.startsWith("tank/theirs")) {
                    String guid = CloneTrees.of(box).guid(any);
                    byHand(any.contains("@") ? space + ".delete" : "pool.dataset.delete", any);
                    if (CloneTrees.of(box).guid(any).isEmpty()) {
                        given.add(guid);
                    }
                }
            }
        }
    }

    private void byHand(String method, Object argument) {
        String outcome = "";
        try {
            box.call(method, argument);
        } catch (ApiFailure e) {
            outcome = ": " + e.reason();
        } catch (RuntimeException e) {
            outcome = ": " + e;
        }
        steps.add("by hand " + method + " " + argument + outcome);
    }

    /** Makes a step and looks at what is gone after it, whether it says that it failed or not. */
    private void attempt(String what, Set<String> mayGo, Runnable step) {
        CloneTrees before = CloneTrees.of(box);
        try {
            step.run();
            steps.add(what);
        } catch (StorageException e) {
            steps.add(what + ": " + e.getMessage());
            assertThat(e.failure()).as(what).isNotInstanceOf(Failure.Unexpected.class);
            if (e.failure() instanceof Failure.OutcomeUnknown) {
                given.addAll(mayGo); // a box may go on with it, or be done
            }
        }
        Set<String> all = new HashSet<>(given);
        all.addAll(mayGo);
        before.names().forEach((guid, name) -> {
            // What copies are made by, and, if that is said, snapshots that nobody took by CSI, go with their volume.
            // What was never finished, and was put aside since clones hung on it, goes with a later look for such.
            boolean isHelper = name.contains("@volume-source-for-")
                    || NOBODYS.matcher(name).lookingAt();
            boolean isOfGone = destroysForeign
                    && name.contains("@auto-")
                    && all.contains(before.guid(name.replaceFirst("@.*", "")));
            if (isHelper || isOfGone) {
                all.add(guid);
            }
        });
        assertThat(CloneTrees.of(box).lostSince(before, all))
                .as("lost by: " + what)
                .isEmpty();
    }

    /** Deletes all: the administrator what is his, then the driver what is its own, until nothing changes. */
    Set<String> left() {
        for (int i = 0; i < 12 && !box.left().isEmpty(); i++) {
            clock.advance(LONG);
            create(new Content("")); // since what was put aside is looked for with the deletion of some volume
            for (String name : box.left()) {
                if (name.contains("@auto-") || name.startsWith("tank/theirs")) {
                    String space = box.profile().before(Profile.V25_10_0) ? "zfs.snapshot" : "pool.snapshot";
                    byHand(name.contains("@") ? space + ".delete" : "pool.dataset.delete", name);
                } else if (name.contains("@")) {
                    deleteSnapshot(name.substring(PARENT.length() + 1));
                } else {
                    // What a creation began that was cut goes with a deletion of the name that it was for.
                    delete(
                            name.substring(PARENT.length() + 1).replaceFirst("^fairlead:making:", ""),
                            OnDependents.REFUSE);
                }
            }
        }
        return box.left();
    }

    private void volume(java.util.function.Consumer<String> action) {
        String any = any("", name -> name.startsWith(PARENT + "/pvc-") && !name.contains("@"));
        if (!any.isEmpty()) {
            action.accept(any.substring(PARENT.length() + 1));
        }
    }

    private void snapshot(java.util.function.Consumer<String> action) {
        if (!taken.isEmpty()) {
            action.accept(pick(taken).value());
        }
    }

    private String any(String fallback, Predicate<String> which) {
        List<String> names = box.left().stream().filter(which).toList();
        return names.isEmpty() ? fallback : pick(names);
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
