package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A parent that is not known any more by its mark, or its guid: nothing is done below it but to shut nodes out. */
class LostMarkTest {
    private static final String DATASET = "tank/v/pvc-1";
    private static final VolumeCapability MANY = TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER);

    private static final String MANAGED = "democratic-csi:managed_resource";

    private final ZfsCrashFixture zfsCrashFixture =
            ZfsCrashFixture.shared("nfs", "sharenfs", Map.of()).closed().marked("west");
    private final ZfsCrashFixture unmarked =
            ZfsCrashFixture.shared("nfs", "sharenfs", Map.of()).closed();

    private static String node(int number) {
        return "n=node-" + number + "/a=198.51.100." + number;
    }

    private static void publish(OneConnectionFixture oneConnectionFixture, String handle, int node) {
        oneConnectionFixture
                .useCases()
                .publishVolume()
                .publish(new PublishVolume.Command(handle, node(node), MANY, false), TestWork.patient());
    }

    private static void unpublish(OneConnectionFixture oneConnectionFixture, String handle, Optional<String> node) {
        oneConnectionFixture.useCases().unpublishVolume().unpublish(handle, node, TestWork.patient());
    }

    private void mark(String mark) {
        zfsCrashFixture.pool().play(List.of("zfs", "set", "dev.fairlead:parent=" + mark, "tank/v"));
    }

    @Test
    void nodes_are_shut_out_of_what_is_there_unless_it_is_anothers_and_no_volume_is_taken_for_gone() {
        mark("west");
        try (OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open()) {
            String handle = make(oneConnectionFixture);
            publish(oneConnectionFixture, handle, 1);
            publish(oneConnectionFixture, handle, 2);
            mark("another");
            Map<String, String> before = zfsCrashFixture.pool().own(DATASET);

            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> unpublish(oneConnectionFixture, handle, Optional.of(node(1))));
            assertThat(zfsCrashFixture.pool().own(DATASET)).isEqualTo(before);

            zfsCrashFixture.pool().play(List.of("zfs", "inherit", "dev.fairlead:parent", "tank/v"));
            Failing.with(Failure.BackendUnavailable.class, () -> publish(oneConnectionFixture, handle, 3));
            unpublish(oneConnectionFixture, handle, Optional.of(node(1)));
            assertThat(zfsCrashFixture.pool().own(DATASET).get("sharenfs"))
                    .contains("198.51.100.2")
                    .doesNotContain("198.51.100.1");
            unpublish(oneConnectionFixture, handle, Optional.empty());
            assertThat(zfsCrashFixture.pool().own(DATASET)).containsEntry("sharenfs", "off");

            zfsCrashFixture.pool().remove(DATASET);
            Failing.with(
                    Failure.BackendUnavailable.class, () -> unpublish(oneConnectionFixture, handle, Optional.empty()));
        }
    }

    private static String make(OneConnectionFixture oneConnectionFixture) {
        return oneConnectionFixture
                .useCases()
                .createVolume()
                .create(
                        new CreateVolume.Command(
                                new CsiName("pvc-1"),
                                TestVolumes.atLeast(TestVolumes.SIZE),
                                List.of(MANY),
                                OneConnectionFixture.ON_NAS,
                                Source.NONE,
                                AccessibilityRequirement.NONE),
                        TestWork.patient())
                .handle();
    }

    /** Puts another pool in the place of this one, which has a dataset of the volume's name. */
    private void replacePool(Map<String, String> properties) {
        unmarked.pool().export();
        unmarked.pool().put("tank", "filesystem", Map.of());
        unmarked.pool().put("tank/v", "filesystem", Map.of());
        unmarked.pool().put(DATASET, "filesystem", properties);
    }

    @Test
    void nodes_are_shut_out_of_a_copy_of_the_volume_below_a_parent_of_another_guid() {
        try (OneConnectionFixture oneConnectionFixture = unmarked.open()) {
            String handle = make(oneConnectionFixture);
            publish(oneConnectionFixture, handle, 1);
            publish(oneConnectionFixture, handle, 2);
            replacePool(unmarked.pool().own(DATASET));

            Failing.with(Failure.BackendUnavailable.class, () -> publish(oneConnectionFixture, handle, 3));
            unpublish(oneConnectionFixture, handle, Optional.of(node(1)));
            assertThat(unmarked.pool().own(DATASET).get("sharenfs"))
                    .contains("198.51.100.2")
                    .doesNotContain("198.51.100.1");
            unpublish(oneConnectionFixture, handle, Optional.empty());
            assertThat(unmarked.pool().own(DATASET)).containsEntry("sharenfs", "off");

            unmarked.pool().remove(DATASET);
            Failing.with(
                    Failure.BackendUnavailable.class, () -> unpublish(oneConnectionFixture, handle, Optional.empty()));
        }
    }

    @Test
    void what_is_not_a_volume_of_ours_is_left_alone_below_a_parent_of_another_guid() {
        try (OneConnectionFixture oneConnectionFixture = unmarked.open()) {
            String handle = make(oneConnectionFixture);
            publish(oneConnectionFixture, handle, 1);
            Map<String, String> own = new HashMap<>(unmarked.pool().own(DATASET));
            own.remove(MANAGED);
            replacePool(own);
            Map<String, String> before = unmarked.pool().own(DATASET);

            assertThatThrownBy(() -> unpublish(oneConnectionFixture, handle, Optional.of(node(1))))
                    .hasMessageContaining("is not the dataset that was met before");
            unmarked.pool().play(List.of("zfs", "set", MANAGED + "=true", "tank/v")); // for all below, which it is not
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> unpublish(oneConnectionFixture, handle, Optional.of(node(1))));

            assertThat(unmarked.pool().own(DATASET)).isEqualTo(before);
        }
    }
}
