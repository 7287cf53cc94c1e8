package dev.fairlead.adapter.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DevicePathTest {
    private static DevicePath of(String path) {
        return DevicePath.of(new VolumeMedium.BlockDevice(path), new ConnectionName("nas"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dev/zvol/tank/k8s/v/nvme-0.pvc-1",
                "/dev/mapper/vg0-csi--1",
                "/dev/drbd1000",
                "/dev/zvol/a/b:c_d"
            })
    void a_path_of_plain_words_is_taken_as_it_is(String path) {
        assertThat(of(path)).hasToString(path);
    }

    /** targetcli takes a line for a command, and a blank for the end of a word. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "dev/sda",
                "/dev/../etc/shadow",
                "/dev/a b",
                "/dev/a\n/ clearconfig",
                "/dev/$(reboot)",
                "/dev/sda/"
            })
    void what_a_program_would_take_for_something_else_is_refused(String path) {
        Failing.with(Failure.BackendRejected.class, () -> of(path));
    }

    @Test
    void hostile_paths_are_plain_or_refused() {
        HostileInput.texts().forEach(text -> {
            Optional<DevicePath> taken = Failing.orEmpty(() -> of("/dev/" + text));

            assertThat(taken.map(DevicePath::value).orElse("/")).matches("[A-Za-z0-9/_.+:@=-]+");
        });
    }
}
