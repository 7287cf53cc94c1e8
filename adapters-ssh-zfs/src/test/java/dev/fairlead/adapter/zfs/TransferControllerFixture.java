package dev.fairlead.adapter.zfs;

import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;

/** A controller over several connections, by the calls that tests of transfers make. */
record TransferControllerFixture(Connections connections, ControllerUseCases useCases) implements AutoCloseable {
    /** An empty volume on one connection. */
    VolumeView make(String name, String connection) {
        return make(name, connection, Source.NONE, TestWork.patient());
    }

    VolumeView make(String name, String connection, Source source, Work work) {
        return make(name, connection, source, TestVolumes.atLeast(TestVolumes.SIZE), work);
    }

    VolumeView make(String name, String connection, Source source, CapacityRange range, Work work) {
        return useCases.createVolume()
                .create(
                        new CreateVolume.Command(
                                new CsiName(name),
                                range,
                                List.of(TestVolumes.MOUNT),
                                Map.of("connections", connection),
                                source,
                                AccessibilityRequirement.NONE),
                        work);
    }

    String snapshot(String name, String volume) {
        return useCases.takeSnapshot()
                .take(new CsiName(name), volume, Map.of(), TestWork.patient())
                .handle();
    }

    void delete(String volume) {
        useCases.deleteVolume().delete(volume, TestWork.patient());
    }

    @Override
    public void close() {
        connections.close();
    }
}
