package dev.fairlead.adapter.kernel.lio;

import static dev.fairlead.adapter.kernel.lio.TargetFixture.OPEN;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.export;
import static dev.fairlead.adapter.kernel.lio.TargetFixture.unexport;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Concurrently;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several exports to one host at a time. */
class ConcurrentTargetsTest {
    @TempDir
    private Path folder;

    private FakeLio lio() {
        return new FakeLio(folder);
    }

    private TargetFixture bench() {
        return new TargetFixture(lio());
    }

    @Test
    void two_connections_to_one_host_never_lose_each_others_targets() {
        TargetFixture fixture = bench();
        try (Exporter one = fixture.exporter(TargetFixture.CHAP);
                Exporter two = fixture.exporter(OPEN)) {
            Concurrently.run(List.of(
                    () -> export(one, fixture.volume("pvc-1")),
                    () -> export(two, fixture.volume("pvc-2")),
                    () -> export(one, fixture.volume("pvc-3")),
                    () -> export(two, fixture.volume("pvc-4"))));
        }

        assertThat(lio().backstores()).containsExactlyInAnyOrder("pvc-1", "pvc-2", "pvc-3", "pvc-4");
        assertThat(lio().saved()).contains("pvc-1", "pvc-2", "pvc-3", "pvc-4");
    }

    /** Each would otherwise hold a session of the host while it waits for the others. */
    @Test
    void volumes_of_one_connection_wait_for_each_other_before_they_are_on_the_host() {
        FakeLio lio = lio();
        TargetFixture fixture = new TargetFixture(lio);
        List<StoredVolume> volumes = List.of(fixture.volume("pvc-1"), fixture.volume("pvc-2"), fixture.volume("pvc-3"));
        try (Exporter exporter = fixture.exporter(OPEN)) {
            export(exporter, volumes.get(0));
            Concurrently.run(List.of(
                    () -> unexport(exporter, volumes.get(0)),
                    () -> export(exporter, volumes.get(1)),
                    () -> export(exporter, volumes.get(2))));
        }

        assertThat(lio.mostAtOnce()).isEqualTo(1);
        assertThat(lio.backstores()).containsExactlyInAnyOrder("pvc-2", "pvc-3");
    }
}
