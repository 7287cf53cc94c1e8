package dev.fairlead.application.service.volume;

import dev.fairlead.application.port.in.volume.GetVolume;
import dev.fairlead.application.port.in.volume.ValidateVolume;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.plan.MutableParameters;
import dev.fairlead.application.service.plan.PlannedVolume;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import java.util.Map;
import java.util.Optional;

/** Compares the wanted use of a volume with its connection's capabilities and with its context. */
public record ValidateVolumeService(Connections connections, HandleCodec codec, GetVolume volumes)
        implements ValidateVolume {
    @Override
    public Optional<String> objection(Command command, Work work) {
        VolumeView volume = volumes.get(command.handle(), work);
        VolumeHandle handle = codec.volume(command.handle())
                .orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(command.handle())));
        try (ConnectionUse use = connections.use(handle.connection())) {
            Backend backend = use.backend();
            return backend.settings()
                    .capabilities()
                    .objectionToFound(command.capabilities())
                    .or(() -> differing(volume.context(), command.context()))
                    .or(() -> refused(() -> PlannedVolume.parameters(backend, command.parameters())))
                    .or(() -> refused(() -> MutableParameters.of(backend, command.mutable())));
        }
    }

    /**
     * Returns the first difference, if any; ignores entries that others have added to the context, as the provisioner
     * does.
     */
    private static Optional<String> differing(Map<String, String> context, Map<String, String> asked) {
        return asked.entrySet().stream()
                .filter(entry ->
                        !context.getOrDefault(entry.getKey(), entry.getValue()).equals(entry.getValue()))
                .findFirst()
                .map(entry -> "volume_context." + entry.getKey() + " is " + Excerpt.of(entry.getValue())
                        + ", the volume's is " + Excerpt.of(context.getOrDefault(entry.getKey(), "")));
    }

    private static Optional<String> refused(Runnable reading) {
        try {
            reading.run();
            return Optional.empty();
        } catch (StorageException refusal) {
            return Optional.of(refusal.failure().message());
        }
    }
}
