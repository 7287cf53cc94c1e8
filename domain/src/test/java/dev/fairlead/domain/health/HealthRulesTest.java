package dev.fairlead.domain.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthRulesTest {
    @Test
    void a_volume_whose_quota_is_not_enforced_can_be_used_and_is_degraded() {
        VolumeHealth health = HealthRules.of(new VolumeFacts(
                PLACE,
                List.of(),
                mount("xfs", "rw", "rw"),
                Optional.empty(),
                List.of(new MountTrouble(MountTrouble.Kind.SIZE_NOT_HELD, "quotas are off; mount it with prjquota")),
                Optional.empty()));

        assertThat(reasons(health)).containsExactly(HealthReason.SIZE_NOT_HELD);
        assertThat(health.conditions().getFirst().message()).contains("quotas are off", "prjquota");
        assertThat(HealthReason.SIZE_NOT_HELD.status()).isEqualTo(HealthStatus.DEGRADED);
    }

    private static VolumeHealth troubled(String options, MountTrouble... troubles) {
        return HealthRules.of(new VolumeFacts(
                PLACE, List.of(), mount("xfs", options, "rw"), Optional.empty(), List.of(troubles), Optional.empty()));
    }

    @Test
    void each_trouble_of_a_mount_is_told_with_what_was_seen_and_each_reason_once() {
        VolumeHealth health = troubled(
                "rw",
                new MountTrouble(MountTrouble.Kind.UNTOLD, "the first cannot be told"),
                new MountTrouble(MountTrouble.Kind.REMOVED, "its folder is there no more"),
                new MountTrouble(MountTrouble.Kind.FULL, "0 bytes are free"),
                new MountTrouble(MountTrouble.Kind.WITHOUT_INODES, "all 64 inodes"),
                new MountTrouble(MountTrouble.Kind.DEVICE_ERRORS, "3 errors"),
                new MountTrouble(MountTrouble.Kind.UNTOLD, "the second neither"));

        assertThat(reasons(health))
                .containsExactly(
                        HealthReason.CONTENT_REMOVED,
                        HealthReason.VOLUME_FULL,
                        HealthReason.INODES_EXHAUSTED,
                        HealthReason.DEVICE_ERRORS,
                        HealthReason.LOOK_FAILED);
        assertThat(health.message())
                .contains(
                        PLACE,
                        "its folder is there no more",
                        "0 bytes",
                        "all 64",
                        "3 errors",
                        "the first cannot be told; the second neither");
        assertThat(HealthReason.CONTENT_REMOVED.status()).isEqualTo(HealthStatus.INACCESSIBLE);
    }

    @Test
    void a_look_names_what_it_could_not_tell() {
        VolumeHealth parts = troubled(
                "rw",
                MountTrouble.untold(Set.of(MountTrouble.Kind.DEVICE_ERRORS), "no errors_count"),
                MountTrouble.untold(Set.of(MountTrouble.Kind.SIZE_NOT_HELD), "no quota"));
        assertThat(parts.tells(HealthReason.DEVICE_ERRORS)).isFalse();
        assertThat(parts.tells(HealthReason.SIZE_NOT_HELD)).isFalse();
        assertThat(parts.tells(HealthReason.VOLUME_FULL)).isTrue();

        VolumeHealth nothing = HealthRules.of(
                new VolumeFacts(PLACE, List.of(), Optional.empty(), Optional.empty(), Optional.of("no")));
        assertThat(nothing.tells(HealthReason.PATHS_LOST)).isFalse();

        VolumeHealth dead = of(List.of(DEAD), mount("ext4", "rw", "rw"), Optional.empty());
        assertThat(dead.tells(HealthReason.VOLUME_FULL)).isFalse();
        assertThat(dead.tells(HealthReason.CONTENT_REMOVED)).isTrue();
        assertThat(VolumeHealth.GOOD.tells(HealthReason.VOLUME_FULL)).isTrue();
    }

    @Test
    void what_is_mounted_for_reading_is_never_too_full() {
        assertThat(reasons(troubled(
                        "ro",
                        new MountTrouble(MountTrouble.Kind.FULL, "0 bytes are free"),
                        new MountTrouble(MountTrouble.Kind.WITHOUT_INODES, "all 64 inodes"),
                        new MountTrouble(MountTrouble.Kind.DEVICE_ERRORS, "3 errors"))))
                .containsExactly(HealthReason.DEVICE_ERRORS);
    }

    private static final String PLACE = "/kubelet/globalmount";
    private static final VolumePath GOOD = new VolumePath("portal 10.0.0.1:3260", "session LOGGED_IN", true);
    private static final VolumePath DEAD = new VolumePath("portal 10.0.0.2:3260", "session FAILED", false);

    private static VolumeHealth of(List<VolumePath> paths, Optional<MountFacts> mount, Optional<Silence> silence) {
        return HealthRules.of(new VolumeFacts(PLACE, paths, mount, silence, Optional.empty()));
    }

    private static Optional<MountFacts> mount(String type, String options, String superOptions) {
        return Optional.of(
                new MountFacts(PLACE, type, List.of(options.split(",", -1)), List.of(superOptions.split(",", -1))));
    }

    private static List<HealthReason> reasons(VolumeHealth health) {
        return health.conditions().stream().map(HealthCondition::reason).toList();
    }

    @Test
    void a_volume_whose_ways_all_work_and_that_answers_is_well() {
        VolumeHealth health = of(List.of(GOOD, GOOD), mount("ext4", "rw", "rw"), Optional.empty());

        assertThat(health.isAbnormal()).isFalse();
        assertThat(health.message()).isEmpty();
    }

    @Test
    void one_lost_way_of_two_is_named_and_degrades_the_volume() {
        VolumeHealth health = of(List.of(GOOD, DEAD), mount("ext4", "rw", "rw"), Optional.empty());

        assertThat(health.conditions()).singleElement().satisfies(it -> {
            assertThat(it.reason()).isEqualTo(HealthReason.PATHS_LOST);
            assertThat(it.status()).isEqualTo(HealthStatus.DEGRADED);
            assertThat(it.message())
                    .contains("1 of 2 ways", "portal 10.0.0.2:3260 (session FAILED)")
                    .doesNotContain("10.0.0.1");
        });
    }

    @Test
    void a_volume_without_a_way_that_works_is_inaccessible() {
        VolumeHealth health = of(List.of(DEAD), mount("ext4", "rw", "rw"), Optional.empty());

        assertThat(reasons(health)).containsExactly(HealthReason.TRANSPORT_DEAD);
        assertThat(health.conditions().getFirst().status()).isEqualTo(HealthStatus.INACCESSIBLE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ext4     | rw,relatime | ro,errors=remount-ro | READ_ONLY_REMOUNT
            ext4     | rw,relatime | rw,emergency_ro      | READ_ONLY_REMOUNT
            btrfs    | rw          | ro,space_cache=v2    | READ_ONLY_REMOUNT
            ext4     | rw          | rw,shutdown          | FILESYSTEM_SHUT_DOWN
            ext4     | ro,relatime | ro,norecovery        |
            ext4     | rw          | rw,errors=remount-ro |
            nfs4     | ro          | rw,vers=4.2          |
            devtmpfs | rw          | ro                   |
            """)
    void what_the_kernel_changed_is_told_from_what_was_asked_for(
            String type, String options, String superOptions, String reason) {
        VolumeHealth health = of(List.of(), mount(type, options, superOptions), Optional.empty());

        assertThat(reasons(health).stream().map(HealthReason::name).toList())
                .isEqualTo(reason == null ? List.of() : List.of(reason));
    }

    @Test
    void a_server_that_is_silent_is_told_from_one_that_has_lost_the_mount() {
        Optional<MountFacts> share = mount("nfs4", "rw", "rw");

        assertThat(reasons(of(List.of(), share, Optional.of(new Silence(Silence.Kind.SILENT, "2000 ms")))))
                .containsExactly(HealthReason.SERVER_SILENT);
        assertThat(reasons(of(List.of(), share, Optional.of(new Silence(Silence.Kind.LOST, "ESTALE")))))
                .containsExactly(HealthReason.MOUNT_LOST);
    }

    @Test
    void a_file_system_that_refuses_with_an_error_was_shut_down() {
        VolumeHealth health =
                of(List.of(GOOD), mount("xfs", "rw", "rw"), Optional.of(new Silence(Silence.Kind.BROKEN, "EIO")));

        assertThat(reasons(health)).containsExactly(HealthReason.FILESYSTEM_SHUT_DOWN);
        assertThat(health.message())
                .startsWith("FilesystemShutDown: the xfs at " + PLACE)
                .contains("EIO");
    }

    @Test
    void what_is_not_mounted_or_could_not_be_looked_at_is_told() {
        VolumeHealth health = HealthRules.of(
                new VolumeFacts(PLACE, List.of(), Optional.empty(), Optional.empty(), Optional.of("sysfs hangs")));

        assertThat(reasons(health)).containsExactly(HealthReason.NOT_MOUNTED, HealthReason.LOOK_FAILED);
    }

    @Test
    void storage_is_told_once_for_each_reason_and_only_of_what_is_on_the_way_to_it() {
        Map<String, VolumeHealth> volumes = new LinkedHashMap<>();
        for (int i = 0; i < 7; i++) {
            volumes.put("v:san/" + i, of(List.of(DEAD), mount("ext4", "rw", "ro"), Optional.empty()));
        }
        volumes.put("v:san/x", VolumeHealth.GOOD);

        assertThat(HealthRules.ofStorage(volumes)).singleElement().satisfies(it -> {
            assertThat(it.reason()).isEqualTo(HealthReason.TRANSPORT_DEAD);
            assertThat(it.message()).contains("session FAILED").endsWith("v:san/3, v:san/4 and 2 more)");
        });
    }
}
