package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.crash.ControllerProcess;
import dev.fairlead.testkit.crash.ControllerScenarios;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.Interference;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A controller that dies after each command that the storage host has run, for every RPC of every driver type; its
 * successor repeats the call. What the host's own tools tell in the end is as after a run that was not cut.
 */
@OnStorage
class CrashOnStorageTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "zfs-generic-nfs",
                "zfs-generic-smb",
                "zfs-generic-iscsi",
                "zfs-generic-nvmeof",
                "zfs-local-dataset",
                "zfs-local-zvol"
            })
    void every_call_is_finished_after_every_command(String driverType, StorageHost host) {
        CrashPoints<ControllerProcess> harness =
                new CrashPoints<>(new StorageWorld(driverType, host), List.of(Interference.DEATH_AFTER));

        ControllerScenarios.all("pvc-1@snap-1").forEach(harness::survive);

        assertThat(harness.counts())
                .allSatisfy(count -> assertThat(count.runs()).isPositive());
        System.Logger log = System.getLogger(CrashOnStorageTest.class.getName());
        harness.counts()
                .forEach(count -> log.log(
                        System.Logger.Level.INFO,
                        "{0}, {1}: {2} commands, {3} deaths",
                        driverType,
                        count.scenario(),
                        count.effects(),
                        count.runs()));
    }
}
