package dev.fairlead.testkit.model;

import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.list.ListSnapshots;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Calls the use cases directly. */
public class UseCaseCalls implements CsiCalls {
    private final ControllerUseCases useCases;
    private final Map<String, String> parameters;

    /** @param parameters the parameters of the StorageClass */
    public UseCaseCalls(ControllerUseCases useCases, Map<String, String> parameters) {
        this.useCases = useCases;
        this.parameters = Map.copyOf(parameters);
    }

    private static <T> Answer<T> answer(Supplier<T> call) {
        try {
            return Answer.ok(call.get());
        } catch (StorageException e) {
            return Answer.failed(Code.of(e.failure()), e.failure().message());
        }
    }

    private static TestWork work(String what) {
        return TestWork.named(what);
    }

    @Override
    public Answer<Facts.Volume> createVolume(String name, long required, long limit, Facts.Source source) {
        return answer(() -> facts(useCases.createVolume()
                .create(
                        new CreateVolume.Command(
                                new CsiName(name),
                                CapacityRange.of(required, limit),
                                List.of(TestVolumes.MOUNT),
                                parameters,
                                sourceOf(source),
                                AccessibilityRequirement.NONE),
                        work("CreateVolume " + name))));
    }

    private static Source sourceOf(Facts.Source source) {
        return switch (source.kind()) {
            case NONE -> Source.NONE;
            case SNAPSHOT -> new Source.Snapshot(source.id());
            case VOLUME -> new Source.Volume(source.id());
        };
    }

    private static Facts.Volume facts(VolumeView view) {
        Facts.Source source = switch (view.source()) {
            case Source.None() -> Facts.Source.NONE;
            case Source.Snapshot(String id) -> new Facts.Source(Facts.Source.Kind.SNAPSHOT, id);
            case Source.Volume(String id) -> new Facts.Source(Facts.Source.Kind.VOLUME, id);
        };
        return new Facts.Volume(view.handle(), view.capacity().bytes(), view.context(), source);
    }

    private static Facts.Snapshot facts(SnapshotView view) {
        return new Facts.Snapshot(
                view.handle(),
                view.sourceVolume(),
                view.size().bytes(),
                view.created().toString());
    }

    @Override
    public Answer<String> deleteVolume(String id) {
        return answer(() -> {
            useCases.deleteVolume().delete(id, work("DeleteVolume " + id));
            return "";
        });
    }

    @Override
    public Answer<Long> expandVolume(String id, long required, long limit) {
        return answer(() -> useCases.expandVolume()
                .expand(id, CapacityRange.of(required, limit), work("ControllerExpandVolume " + id))
                .capacity()
                .bytes());
    }

    @Override
    public Answer<Facts.Volume> getVolume(String id) {
        return answer(() -> facts(useCases.getVolume().get(id, work("ControllerGetVolume " + id))));
    }

    @Override
    public Answer<Facts.Part<Facts.Volume>> listVolumes(Optional<String> token, int max) {
        return answer(() -> {
            var listing = useCases.listVolumes().list(token, max, work("ListVolumes"));
            return new Facts.Part<>(
                    listing.items().stream().map(UseCaseCalls::facts).toList(), listing.nextToken());
        });
    }

    @Override
    public Answer<Facts.Snapshot> createSnapshot(String name, String source) {
        return answer(() -> facts(
                useCases.takeSnapshot().take(new CsiName(name), source, Map.of(), work("CreateSnapshot " + name))));
    }

    @Override
    public Answer<String> deleteSnapshot(String id) {
        return answer(() -> {
            useCases.deleteSnapshot().delete(id, work("DeleteSnapshot " + id));
            return "";
        });
    }

    @Override
    public Answer<Facts.Snapshot> getSnapshot(String id) {
        return answer(() -> facts(useCases.getSnapshot().get(id, work("GetSnapshot " + id))));
    }

    @Override
    public Answer<Facts.Part<Facts.Snapshot>> listSnapshots(Optional<String> source, Optional<String> token, int max) {
        return answer(() -> {
            var query = new ListSnapshots.Query(Optional.empty(), source, token, max);
            var listing = useCases.listSnapshots().list(query, work("ListSnapshots"));
            return new Facts.Part<>(
                    listing.items().stream().map(UseCaseCalls::facts).toList(), listing.nextToken());
        });
    }
}
