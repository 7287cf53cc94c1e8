package dev.fairlead.bootstrap.serving;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerServiceCapability;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetSnapshotRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.Snapshot;
import csi.v1.Volume;
import dev.fairlead.testkit.model.Answer;
import dev.fairlead.testkit.model.Code;
import dev.fairlead.testkit.model.CsiCalls;
import dev.fairlead.testkit.model.Facts;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** Calls that go over the socket of a driver that runs, all to one of its connections. */
final class SocketCalls implements CsiCalls {
    private final RunningDriver driver;
    private final String connection;
    private final Path base;
    private final boolean expands;

    /** @param base the folder of that connection, to look into its volumes */
    SocketCalls(RunningDriver driver, String connection, Path base) {
        this.driver = driver;
        this.connection = connection;
        this.base = base;
        this.expands = driver
                .controller()
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .stream()
                .anyMatch(it -> it.getRpc().getType() == ControllerServiceCapability.RPC.Type.EXPAND_VOLUME);
    }

    private static <T> Answer<T> answer(Supplier<T> call) {
        try {
            return Answer.ok(call.get());
        } catch (StatusRuntimeException e) {
            Status status = e.getStatus();
            return Answer.failed(
                    Code.valueOf(status.getCode().name()), Objects.requireNonNullElse(status.getDescription(), ""));
        }
    }

    @Override
    public Answer<Facts.Volume> createVolume(String name, long required, long limit, Facts.Source source) {
        CreateVolumeRequest.Builder request = RunningDriver.volume(name, Map.of("connection", connection));
        if (required != 0 || limit != 0) {
            request.setCapacityRange(range(required, limit));
        }
        switch (source.kind()) {
            case NONE -> {}
            case SNAPSHOT ->
                request.getVolumeContentSourceBuilder().getSnapshotBuilder().setSnapshotId(source.id());
            case VOLUME ->
                request.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(source.id());
        }
        return answer(
                () -> facts(driver.controller().createVolume(request.build()).getVolume()));
    }

    private static CapacityRange range(long required, long limit) {
        return CapacityRange.newBuilder()
                .setRequiredBytes(required)
                .setLimitBytes(limit)
                .build();
    }

    private static Facts.Volume facts(Volume volume) {
        var source = volume.getContentSource();
        Facts.Source from = switch (source.getTypeCase()) {
            case SNAPSHOT ->
                new Facts.Source(
                        Facts.Source.Kind.SNAPSHOT, source.getSnapshot().getSnapshotId());
            case VOLUME ->
                new Facts.Source(Facts.Source.Kind.VOLUME, source.getVolume().getVolumeId());
            case TYPE_NOT_SET -> Facts.Source.NONE;
        };
        return new Facts.Volume(volume.getVolumeId(), volume.getCapacityBytes(), volume.getVolumeContextMap(), from);
    }

    private static Facts.Snapshot facts(Snapshot snapshot) {
        return new Facts.Snapshot(
                snapshot.getSnapshotId(),
                snapshot.getSourceVolumeId(),
                snapshot.getSizeBytes(),
                snapshot.getCreationTime().toString());
    }

    @Override
    public Answer<String> deleteVolume(String id) {
        return answer(() -> driver.controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build())
                .toString());
    }

    @Override
    public boolean offersExpansion() {
        return expands;
    }

    @Override
    public Answer<Long> expandVolume(String id, long required, long limit) {
        return answer(() -> driver.controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setCapacityRange(range(required, limit))
                        .build())
                .getCapacityBytes());
    }

    @Override
    public Answer<Facts.Volume> getVolume(String id) {
        return answer(() -> facts(driver.controller()
                .controllerGetVolume(
                        ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build())
                .getVolume()));
    }

    @Override
    public Answer<Facts.Part<Facts.Volume>> listVolumes(Optional<String> token, int max) {
        return answer(() -> {
            var response = driver.controller()
                    .listVolumes(ListVolumesRequest.newBuilder()
                            .setStartingToken(token.orElse(""))
                            .setMaxEntries(max)
                            .build());
            return new Facts.Part<>(
                    response.getEntriesList().stream()
                            .map(entry -> facts(entry.getVolume()))
                            .toList(),
                    Optional.of(response.getNextToken()).filter(next -> !next.isEmpty()));
        });
    }

    @Override
    public Answer<Facts.Snapshot> createSnapshot(String name, String source) {
        return answer(() -> facts(driver.controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(source)
                        .build())
                .getSnapshot()));
    }

    @Override
    public Answer<String> deleteSnapshot(String id) {
        return answer(() -> driver.controller()
                .deleteSnapshot(
                        DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build())
                .toString());
    }

    @Override
    public Answer<Facts.Snapshot> getSnapshot(String id) {
        return answer(() -> facts(driver.controller()
                .getSnapshot(GetSnapshotRequest.newBuilder().setSnapshotId(id).build())
                .getSnapshot()));
    }

    @Override
    public Answer<Facts.Part<Facts.Snapshot>> listSnapshots(Optional<String> source, Optional<String> token, int max) {
        return answer(() -> {
            var response = driver.controller()
                    .listSnapshots(ListSnapshotsRequest.newBuilder()
                            .setSourceVolumeId(source.orElse(""))
                            .setStartingToken(token.orElse(""))
                            .setMaxEntries(max)
                            .build());
            return new Facts.Part<>(
                    response.getEntriesList().stream()
                            .map(entry -> facts(entry.getSnapshot()))
                            .toList(),
                    Optional.of(response.getNextToken()).filter(next -> !next.isEmpty()));
        });
    }

    @Override
    public void write(String volume, String content) {
        try {
            Files.writeString(data(volume), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<String> read(String volume) {
        try {
            return Optional.of(Files.exists(data(volume)) ? Files.readString(data(volume)) : "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path data(String volume) {
        return base.resolve("v")
                .resolve(volume.substring(volume.indexOf('/') + 1))
                .resolve("data");
    }

    /** Removes everything, so that the next sequence begins with nothing. */
    SocketCalls emptied() {
        listSnapshots(Optional.empty(), Optional.empty(), 0)
                .value()
                .ifPresent(all -> all.items().forEach(snapshot -> deleteSnapshot(snapshot.id())));
        listVolumes(Optional.empty(), 0)
                .value()
                .ifPresent(all -> all.items().forEach(volume -> deleteVolume(volume.id())));
        return this;
    }
}
