package dev.fairlead.adapter.kernel.lio;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.kernel.host.HostLock;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.NativeId;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptEndsTest {
    private static final ScriptEnds ENDS = new ScriptEnds(
            new ConnectionName("nas"),
            HostLock.of("lio"),
            new Chap(Map.of("password", new Secret("wonderland"))),
            Elevation.by("/usr/bin/sudo"));

    private static void require(Ended ended) {
        ENDS.require(ended, "exported", new NativeId("pvc-1"), "exporting tank/v/pvc-1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            113 |                                         | holds /run/fairlead-lio.lock
            114 | the backstore pvc-1 of /dev/sda         | place of pvc-1 is taken by the backstore pvc-1 of /dev/sda
            115 | 3 of them, such as iqn.x                | 3 of them, such as iqn.x; import their pool
            116 | /dev/zvol/tank/v/pvc-1 is not there     | is not available
            117 | not so: portals: Could not bind         | not so: portals: Could not bind
            118 | no_such: Unknown parameter              | connection nas refused
            120 | targetcli is not installed              | targetcli is not installed
            121 | /etc/target/saveconfig.json             | saveconfig.json is not what targetcli saves
            122 | none                                    | somebody else has changed meanwhile who is let in
            123 | cannot open 'tank/v/pvc-1'              | is not known, cannot open 'tank/v/pvc-1'
            1   | sudo: a password is required            | NOPASSWD
            2   | cannot create /run/x: Permission denied | sudoEnabled
            1   | it says wonderland                      | it says ***
            0   |                                         | cannot be trusted
            """)
    void each_end_is_told_with_what_to_do(int code, String errors, String message) {
        assertThatThrownBy(() -> require(Ended.with(code, "", errors == null ? "" : errors)))
                .hasMessageContaining(message)
                .hasMessageNotContaining("wonderland");
    }

    @Test
    void a_script_that_was_killed_has_not_exported_whatever_it_had_said() {
        assertThatThrownBy(() -> require(new Ended(0, Optional.of("KILL"), "exported\n", "")))
                .hasMessageContaining("killed by signal KILL");
        require(Ended.with(0, "exported\n", ""));
    }
}
