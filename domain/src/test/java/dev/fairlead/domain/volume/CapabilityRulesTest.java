package dev.fairlead.domain.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CapabilityRulesTest {
    private static final CapabilityRules LOCAL = CapabilityRules.localHostpath();

    @ParameterizedTest
    @EnumSource
    void a_local_directory_serves_every_mode(AccessMode mode) {
        assertThat(LOCAL.objection(mounted("", mode))).isEmpty();
    }

    @Test
    void a_local_directory_is_no_device() {
        var block = new VolumeCapability(new VolumeCapability.Block(), AccessMode.SINGLE_NODE_WRITER);

        assertThat(LOCAL.objection(block)).get().asString().contains("access_type block", "volumeMode Filesystem");
    }

    @Test
    void a_local_directory_has_no_file_system_to_choose() {
        assertThat(LOCAL.objection(mounted("ext4", AccessMode.SINGLE_NODE_WRITER)))
                .get()
                .asString()
                .contains("fs_type 'ext4'", "expected: none", "StorageClass");
    }

    @Test
    void a_file_system_type_is_one_of_those_named() {
        var rules = new CapabilityRules(EnumSet.allOf(AccessMode.class), true, true, Set.of("xfs", "ext4"));

        assertThat(rules.objection(mounted("ext4", AccessMode.SINGLE_NODE_WRITER)))
                .isEmpty();
        assertThat(rules.objection(mounted("", AccessMode.SINGLE_NODE_WRITER))).isEmpty();
        assertThat(rules.objection(mounted("zfs", AccessMode.SINGLE_NODE_WRITER)))
                .get()
                .asString()
                .contains("expected: ext4, xfs");
        assertThat(rules.objection(new VolumeCapability(new VolumeCapability.Block(), AccessMode.SINGLE_NODE_WRITER)))
                .isEmpty();
    }

    @Test
    void a_device_cannot_be_mounted_where_only_devices_are_served() {
        var rules = new CapabilityRules(EnumSet.allOf(AccessMode.class), false, true, Set.of());

        assertThat(rules.objection(mounted("", AccessMode.SINGLE_NODE_WRITER)))
                .get()
                .asString()
                .contains("access_type mount");
    }

    @Test
    void modes_of_a_file_replace_all_others() {
        CapabilityRules rules = LOCAL.withModes(Set.of(AccessMode.SINGLE_NODE_WRITER));

        assertThat(rules.objection(mounted("", AccessMode.SINGLE_NODE_WRITER))).isEmpty();
        assertThat(rules.objection(mounted("", AccessMode.MULTI_NODE_MULTI_WRITER)))
                .get()
                .asString()
                .contains("access_mode MULTI_NODE_MULTI_WRITER", "[SINGLE_NODE_WRITER]");
    }

    @ParameterizedTest
    @EnumSource
    void no_mode_serves_nothing(AccessMode mode) {
        assertThat(LOCAL.withModes(Set.of()).objection(mounted("", mode)))
                .get()
                .asString()
                .contains("csi.access_modes is empty");
    }

    @Test
    void of_several_the_first_that_is_not_served_counts() {
        var good = mounted("", AccessMode.SINGLE_NODE_WRITER);
        var bad = mounted("btrfs\n", AccessMode.SINGLE_NODE_WRITER);

        assertThat(LOCAL.objection(List.of(good, bad))).get().asString().contains("'btrfs?'");
        assertThat(LOCAL.objection(List.of(good, good))).isEmpty();
        assertThat(LOCAL.objection(List.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"vfat", "exfat", "ntfs", "ext4dev"})
    void a_type_that_no_node_makes_is_refused_for_a_new_volume_and_used_if_it_is_there(String type) {
        List<VolumeCapability> wanted = List.of(mounted(type, AccessMode.SINGLE_NODE_WRITER));

        for (CapabilityRules devices : List.of(CapabilityRules.sharedDevices(), CapabilityRules.ownDevices())) {
            assertThat(devices.objection(wanted)).get().asString().contains("fs_type '" + type + "'", "ext4");
            assertThat(devices.objectionToFound(wanted)).isEmpty();
            assertThat(devices.objectionToFound(List.of(mounted("zfs", AccessMode.SINGLE_NODE_WRITER))))
                    .isPresent();
        }
        assertThat(LOCAL.objectionToFound(wanted)).isPresent();
    }

    private static VolumeCapability mounted(String fsType, AccessMode mode) {
        return new VolumeCapability(new VolumeCapability.Mount(fsType, List.of()), mode);
    }

    @Test
    void several_nodes_may_write_to_a_raw_device_and_not_to_a_filesystem_on_it() {
        var raw = new VolumeCapability(new VolumeCapability.Block(), AccessMode.MULTI_NODE_MULTI_WRITER);
        var mounted =
                new VolumeCapability(new VolumeCapability.Mount("ext4", List.of()), AccessMode.MULTI_NODE_MULTI_WRITER);

        assertThat(CapabilityRules.sharedDevices().objection(raw)).isEmpty();
        assertThat(CapabilityRules.sharedDevices().objection(mounted)).isPresent();
        assertThat(CapabilityRules.ownDevices().objection(mounted)).isEmpty();
    }
}
