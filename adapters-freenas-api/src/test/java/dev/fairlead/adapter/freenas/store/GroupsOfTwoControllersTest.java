package dev.fairlead.adapter.freenas.store;

import static dev.fairlead.adapter.freenas.store.GroupFaultsTest.groups;
import static dev.fairlead.adapter.freenas.store.GroupFaultsTest.make;
import static dev.fairlead.adapter.freenas.store.GroupFaultsTest.request;
import static dev.fairlead.adapter.freenas.store.GroupFaultsTest.snapshots;
import static dev.fairlead.adapter.freenas.store.GroupFaultsTest.store;
import static dev.fairlead.adapter.freenas.store.GroupFaultsTest.take;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a group snapshot does to volumes and groups that others make while it is taken. */
class GroupsOfTwoControllersTest {
    private static final String PARENT = SimulatedBox.PARENT;

    @TempDir
    private Path folder = Path.of("/nowhere");

    /** As one does that was made under another name at first. */
    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_volume_that_slips_in_and_gets_its_name_meanwhile_is_of_no_group(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            make(store(box), "pvc-a", "pvc-b");
            var late = new SlippingVolume(box);
            VolumeStore store = FreenasFixture.store(box.watched(late::before), VolumeMedium.Kind.FILESYSTEM, Map.of());

            assertThat(take(store).isWhole()).isTrue();

            assertThat(late.renamings()).isPositive();
            assertThat(snapshots(box)).containsExactly("/pvc-a", "/pvc-b");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_group_of_other_members_that_another_controller_finishes_at_any_moment_stays(Profile profile)
            throws Exception {
        int finished = 0;
        for (int moment = 1; moment <= 20; moment++) {
            int at = moment;
            try (var box = new SimulatedBox(profile, Files.createDirectory(folder.resolve("box-" + at)))) {
                VolumeStore store = store(box);
                make(store, "pvc-a", "pvc-b", "pvc-c");
                Set<String> theirs = new TreeSet<>();
                var calls = new AtomicInteger();
                VolumeStore other = FreenasFixture.store(
                        box.watched(_ -> {
                            if (calls.incrementAndGet() == at && Failing.works(() -> take(store))) {
                                take(store).snapshots().forEach(it -> theirs.add(PARENT + "/" + it.id()));
                            }
                        }),
                        VolumeMedium.Kind.FILESYSTEM,
                        Map.of());

                boolean _ = Failing.works(() -> groups(other).take(request("pvc-a", "pvc-c"), 100, TestWork.patient()));

                assertThat(box.left()).as("left after call " + at).containsAll(theirs);
                finished += theirs.isEmpty() ? 0 : 1;
            }
        }
        assertThat(finished).isGreaterThan(3);
    }
}
