package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.crash.ControllerScenarios;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.Interference;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.crash.PublishScenarios;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A controller that dies after each command that the storage host has run, for every RPC of every driver type; its
 * successor repeats the call. What the host's own tools tell in the end is as after a run that was not cut.
 */
@OnStorage
class CrashOnStorageTest {
    private static final System.Logger LOG = System.getLogger(CrashOnStorageTest.class.getName());

    private static List<String> driverTypes() {
        return List.of(
                "zfs-generic-nfs",
                "zfs-generic-smb",
                "zfs-generic-iscsi",
                "zfs-generic-nvmeof",
                "zfs-local-dataset",
                "zfs-local-zvol");
    }

    @ParameterizedTest
    @MethodSource("driverTypes")
    void every_call_is_finished_after_every_command(String driverType, StorageHost host) {
        survive(new StorageCrashFixture(driverType, host), ControllerScenarios.all("pvc-1@snap-1"));
    }

    @ParameterizedTest
    @MethodSource("driverTypes")
    void groups_and_modifications_are_finished_after_every_command(String driverType, StorageHost host) {
        survive(
                new StorageCrashFixture(driverType, host),
                ControllerScenarios.ofRoles(Map.of("compression", "zstd", "sync", "always")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zfs-generic-nfs", "zfs-generic-iscsi", "zfs-generic-nvmeof"})
    void publishing_is_finished_after_every_command(String driverType, StorageHost host) {
        survive(new StorageCrashFixture(driverType, host).closed(), PublishScenarios.all());
    }

    private static void survive(StorageCrashFixture fixture, List<CrashScenario<OneConnectionFixture>> scenarios) {
        CrashPoints<OneConnectionFixture> harness;
        try (KeptSession session = new KeptSession()) {
            harness = new CrashPoints<>(fixture.by(session), List.of(Interference.DEATH_AFTER));
            scenarios.forEach(harness::survive);
        }

        assertThat(harness.counts())
                .hasSameSizeAs(scenarios)
                .allSatisfy(count -> assertThat(count.runs()).isPositive());
        harness.counts()
                .forEach(count -> LOG.log(
                        System.Logger.Level.INFO,
                        "{0}, {1}: {2} commands, {3} deaths",
                        fixture,
                        count.scenario(),
                        count.effects(),
                        count.runs()));
    }
}
